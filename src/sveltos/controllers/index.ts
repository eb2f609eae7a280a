/**
 * The management side: controllers that follow a management cluster and do what its objects ask for, in every cluster of
 * a fleet.
 *
 * Each controller is a folder. What concerns the management cluster alone is done by one replica, the leader; what is done
 * in a managed cluster, by the replica whose shard it is. It knows how to put the parts together and nothing of command lines.
 */
export { SharedCache, type ControllerContext } from "./context/index.ts";
export { runEventSourceController } from "./event-source/index.ts";
export { runProfileController } from "./profile/index.ts";
export { runSummaryController } from "./cluster-summary/index.ts";
export { runTriggerController } from "./event-trigger/index.ts";
export { requireCrds, runControllers, type ControllerOptions } from "./run/index.ts";
