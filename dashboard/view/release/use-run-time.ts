import { useMemo } from "preact/hooks";
import type { ReleaseTimeline } from "../../../src/dashboard/api/index.ts";
import { nowMs as pageTime } from "../../component/relative-time.tsx";
import { roundedUp } from "../../timeline/index.ts";

/** An empty chart is as long as this. */
const leastLengthMs = 10_000;
/** Clocks that differ by less than this are taken for the same: the server's time may have been on its way for so long. */
const toleratedMs = 60_000;

/** How long the chart of a run is, and where the time is: of a run that goes on, or of a replay. */
export function useRunTime(
  timeline: ReleaseTimeline | undefined,
  replayedMs: number | undefined,
): { readonly lengthMs: number; readonly nowMs?: number } {
  const offsetMs = useMemo(() => offsetOf(timeline), [timeline]);
  if (timeline === undefined) return { lengthMs: leastLengthMs };
  const { lengthMs, isRunning, startedAtMs } = timeline;
  if (replayedMs !== undefined) return { lengthMs: Math.max(1, lengthMs), nowMs: replayedMs };
  if (!isRunning) return { lengthMs: Math.max(1, lengthMs) };
  const now = Math.max(lengthMs, pageTime.value + offsetMs - startedAtMs);
  return { lengthMs: roundedUp(Math.max(leastLengthMs, now * 1.1)), nowMs: now };
}

/** How far the server's clock is ahead of this one. */
function offsetOf(timeline: ReleaseTimeline | undefined): number {
  const offset = timeline === undefined ? 0 : timeline.asOfMs - Date.now();
  return Math.abs(offset) < toleratedMs ? Math.max(0, offset) : offset;
}
