import type { Telemetry } from "./telemetry.ts";

/**
 * A telemetry that records no Events after the signal has aborted. What fails then fails because the work is over, such as
 * that of a leader which has lost its Lease, and says nothing about the objects.
 */
export function scopedTelemetry(telemetry: Telemetry, signal: AbortSignal): Telemetry {
  return {
    ...telemetry,
    recordEvent: (about, event, options) => {
      if (!signal.aborted) telemetry.recordEvent(about, event, options);
    },
  };
}
