import type { TimeTick } from "./time-ticks.ts";

type AxisProps = { readonly ticks: readonly TimeTick[]; readonly lengthMs: number; readonly nowMs?: number };

/** The times above a chart. */
export function TimelineAxis({ ticks, lengthMs }: AxisProps) {
  return (
    <div class="timeline-axis" aria-hidden="true">
      <span />
      <span class="timeline-ticks numeric">
        {ticks.map(({ ms, text }) => (
          <span key={ms} class={ms > lengthMs * 0.95 ? "is-last" : ""} style={{ left: placeOf(ms, lengthMs) }}>
            {text}
          </span>
        ))}
      </span>
      <span class="timeline-took">took</span>
      <span class="timeline-why">state or reason</span>
    </div>
  );
}

/** The lines of a chart at its times, and where the time is now. They lie behind the rows. */
export function TimelineGrid({ ticks, lengthMs, nowMs }: AxisProps) {
  return (
    <div class="timeline-grid" aria-hidden="true">
      <span />
      <span class="timeline-lines">
        {ticks.map(({ ms }) => (
          <span key={ms} class="timeline-line" style={{ left: placeOf(ms, lengthMs) }} />
        ))}
        {nowMs === undefined ? null : <span class="timeline-now" style={{ left: placeOf(Math.min(nowMs, lengthMs), lengthMs) }} />}
      </span>
      <span />
      <span class="timeline-why" />
    </div>
  );
}

function placeOf(ms: number, lengthMs: number): string {
  return `${(ms / Math.max(1, lengthMs)) * 100}%`;
}
