import type { CellState } from "../../../src/dashboard/api/index.ts";

/** What the states of a cluster are called. */
export const clusterWords: Readonly<Record<CellState, string>> = {
  ready: "reachable",
  progressing: "being deleted",
  waiting: "not ready yet",
  failed: "down",
  skipped: "paused",
};
