import type { State } from "../component/state-badge.tsx";

/** A part of a row's time, in ms since the start. It lasts until now when it has no end. */
export type TimelineBar = {
  readonly phase: "apply" | "wait" | "delete";
  readonly fromMs: number;
  readonly toMs?: number;
  /** What it waited for. */
  readonly because?: string;
};

/** The time of one object. */
export type TimelineChartRow = {
  /** The same as in the graph, so that both select the same. */
  readonly id: string;
  readonly title: string;
  readonly state: State;
  readonly because?: string;
  readonly bars: readonly TimelineBar[];
};

export type TimelineChartProps = {
  /** In the order in which they are drawn. */
  readonly rows: readonly TimelineChartRow[];
  /** What the chart shows, for those who hear it. */
  readonly label: string;
  /** The end of the chart, in ms since the start. */
  readonly lengthMs: number;
  /** Where the time is now, in ms since the start: of a run that goes on, or of a replay. */
  readonly nowMs?: number;
  readonly selected?: string;
  /** Undefined when the selection is taken back. */
  readonly onSelect?: (id: string | undefined) => void;
  /** The rows that the end waited for. */
  readonly criticalPath?: readonly string[];
};
