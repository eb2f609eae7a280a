import { visible } from "../graph/shorten.ts";
import { durationText } from "./duration-text.ts";
import type { TimelineBar, TimelineChartRow } from "./timeline-data.ts";

const verbs = { apply: "applied", wait: "waited", delete: "deleted" } as const;

/** What a bar says: `waited 24 s from 0.8 s: 0 of 1 completions`. */
export function barText({ phase, fromMs, toMs, because }: TimelineBar, nowMs: number): string {
  const took = durationText((toMs ?? nowMs) - fromMs);
  const reason = because === undefined || because === "" ? "" : `: ${because}`;
  return visible(`${verbs[phase]}${toMs === undefined ? " so far" : ""} ${took} from ${durationText(fromMs)}${reason}`);
}

/** A row as it is heard. */
export function rowText({ title, state, because, bars }: TimelineChartRow, nowMs: number, isCritical: boolean): string {
  const parts = [
    `${title}: ${state}${because === undefined ? "" : ` (${because})`}`,
    ...bars.map((bar) => barText(bar, nowMs)),
    ...(bars.length === 0 ? ["not begun"] : []),
    ...(isCritical ? ["on the critical path"] : []),
  ];
  return visible(parts.join("; "));
}

/** From the start of a row until its end, or until now. */
export function tookMs(bars: readonly TimelineBar[], nowMs: number): number | undefined {
  if (bars.length === 0) return undefined;
  const ends = bars.map(({ toMs }) => toMs ?? nowMs);
  return Math.max(...ends) - Math.min(...bars.map(({ fromMs }) => fromMs));
}
