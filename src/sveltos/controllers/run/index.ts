/**
 * Runs the management side: looks whether it may, takes part in the sharing out of clusters, runs the controllers that
 * every replica runs, and those of the leader while it leads; and ends in an order in which nobody works without a Lease.
 *
 * It knows which controllers there are and nothing of what they do. Ports, files and processes are the command line's.
 */
export { runControllers, type ControllerOptions } from "./run-controllers.ts";
export { requireCrds } from "./require-crds.ts";
export { refuseBesideSveltos } from "./refuse-beside-sveltos.ts";
export { runAll, type Runnable } from "./run-all.ts";
