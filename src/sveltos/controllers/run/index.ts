/**
 * Runs the management side: looks whether it may, takes part in the sharing out of clusters, runs the controllers that
 * every replica runs, and those of the leader while it leads; and ends in an order in which nobody works without a Lease.
 *
 * It knows which controllers there are and nothing of what they do. Ports, files and processes are the command line's.
 */
export { runController, type ControllerOptions } from "./controller.ts";
export { requireDefinitions } from "./definitions.ts";
export { refuseBesideSveltos } from "./sveltos.ts";
export { together, type Work } from "./together.ts";
