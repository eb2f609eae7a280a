import { StateShape } from "../component/state-badge.tsx";
import { visible } from "../graph/shorten.ts";
import { durationText } from "./duration-text.ts";
import { barText, rowText, tookMs } from "./row-text.ts";
import { rowHeight } from "./row-window.ts";
import type { TimelineBar, TimelineChartRow } from "./timeline-data.ts";

type TimelineRowProps = {
  readonly row: TimelineChartRow;
  /** Its number, from the top. */
  readonly at: number;
  readonly count: number;
  readonly id: string;
  readonly lengthMs: number;
  readonly nowMs: number;
  readonly isSelected: boolean;
  readonly isFocused: boolean;
  readonly isCritical: boolean;
};

/** The time of one object: its name, its bars, how long it took and why. */
export function TimelineRow({ row, at, count, id, lengthMs, nowMs, isSelected, isFocused, isCritical }: TimelineRowProps) {
  const { title, state, because = "", bars } = row;
  const took = tookMs(bars, nowMs);
  const marks = [isSelected ? "is-selected" : "", isFocused ? "is-focused" : "", isCritical ? "is-critical" : ""];
  return (
    <div
      class={["timeline-row", `state-${state}`, ...marks].filter((name) => name !== "").join(" ")}
      id={id}
      role="option"
      aria-selected={isSelected}
      aria-setsize={count}
      aria-posinset={at + 1}
      style={{ transform: `translateY(${at * rowHeight}px)` }}
      data-row={row.id}
      data-at={at}
    >
      <span class="only-read-aloud">{rowText(row, nowMs, isCritical)}</span>
      <span class="timeline-title" aria-hidden="true" title={visible(title)}>
        <StateShape state={state} />
        <span>{visible(title)}</span>
      </span>
      <span class="timeline-bars" aria-hidden="true">
        {bars.map((bar, index) => (
          <Bar key={index} bar={bar} lengthMs={lengthMs} nowMs={nowMs} isFailed={state === "failed" && bar.phase === "wait"} />
        ))}
      </span>
      <span class="timeline-took numeric" aria-hidden="true">
        {took === undefined ? "" : durationText(took)}
      </span>
      <span class="timeline-why" aria-hidden="true" title={visible(because)}>
        {visible(because === "" ? state : because)}
      </span>
    </div>
  );
}

type BarProps = { readonly bar: TimelineBar; readonly lengthMs: number; readonly nowMs: number; readonly isFailed: boolean };

function Bar({ bar, lengthMs, nowMs, isFailed }: BarProps) {
  const { phase, fromMs, toMs = Math.max(nowMs, fromMs) } = bar;
  const percent = (ms: number) => `${(Math.min(Math.max(ms, 0), lengthMs) / Math.max(1, lengthMs)) * 100}%`;
  const classes = ["timeline-bar", `is-${phase}`, isFailed ? "is-failed" : "", bar.toMs === undefined ? "is-open" : ""];
  return (
    <span
      class={classes.filter((name) => name !== "").join(" ")}
      title={barText(bar, nowMs)}
      style={{ left: percent(fromMs), width: percent(toMs - fromMs) }}
    />
  );
}
