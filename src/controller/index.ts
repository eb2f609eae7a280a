/**
 * The management side: controllers that follow a management cluster and do what its objects ask for, in every cluster of
 * a fleet, and the agent that evaluates events inside a managed one.
 *
 * Each controller is a folder. What concerns the management cluster alone is done by one replica, the leader; what is done
 * in a managed cluster, by the replica whose shard it is. It knows how to put the parts together and nothing of command lines.
 */
export { catalogue, logLevels, Monitor, silent, type Chronicle, type Happening, type LogLevel, type Vitals } from "./chronicle/index.ts";
export { runAgent, type AgentOptions } from "./agent/index.ts";
export { Copies } from "./copies.ts";
export type { Desk } from "./desk.ts";
export { keepEvents } from "./events/index.ts";
export { keepProfiles } from "./profiles/index.ts";
export { keepSummaries } from "./summaries/index.ts";
export { keepTriggers } from "./triggers/index.ts";
export { requireDefinitions, runController, type ControllerOptions } from "./run/index.ts";
