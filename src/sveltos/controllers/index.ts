/**
 * The management side: controllers that follow a management cluster and do what its objects ask for, in every cluster of
 * a fleet.
 *
 * Each controller is a folder. What concerns the management cluster alone is done by one replica, the leader; what is done
 * in a managed cluster, by the replica whose shard it is. It knows how to put the parts together and nothing of command lines.
 */
export { Copies, type Desk } from "./context/index.ts";
export { keepEvents } from "./event-source/index.ts";
export { keepProfiles } from "./profile/index.ts";
export { keepSummaries } from "./cluster-summary/index.ts";
export { keepTriggers } from "./event-trigger/index.ts";
export { requireDefinitions, runController, type ControllerOptions } from "./run/index.ts";
