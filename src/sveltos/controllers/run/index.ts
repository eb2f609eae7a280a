/**
 * Runs the controllers of one replica: checks the CRDs and that no Sveltos controller runs, takes part in sharding, runs the
 * controllers of every replica and, while it leads, those of the leader. It releases its Leases after all controllers have
 * ended.
 *
 * It does not know what the controllers do. Ports, files and processes belong to the command line.
 */
export { runControllers, type ControllerOptions } from "./run-controllers.ts";
export { requireCrds } from "./require-crds.ts";
export { runGroup } from "./run-group.ts";
