/**
 * The controllers of the management cluster, one folder each, what they share (`context`) and what runs them (`run`).
 *
 * The controllers that write to the management cluster only run in the leader. Those that work in managed clusters run in
 * every replica, for the clusters of its shard. They do not know the command line.
 */
export { SharedCache, type ControllerContext, type TraceSink } from "./context/index.ts";
export { runEventSourceController } from "./event-source/index.ts";
export { runProfileController } from "./profile/index.ts";
export { runSummaryController } from "./cluster-summary/index.ts";
export { runTriggerController } from "./event-trigger/index.ts";
export { requireCrds, runControllers, type ControllerOptions } from "./run/index.ts";
