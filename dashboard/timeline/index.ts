/**
 * The time of a run as bars: a row for each object, from its apply until it was ready.
 *
 * It knows times since a start; where they come from is the view's.
 */
export type { TimelineBar, TimelineChartRow } from "./timeline-data.ts";
export { TimelineChart } from "./timeline-chart.tsx";
export { durationText } from "./duration-text.ts";
export { roundedUp } from "./time-ticks.ts";
