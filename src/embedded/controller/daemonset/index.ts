/**
 * Runs one Pod on each eligible node.
 *
 * Models pkg/controller/daemon. It pins every Pod to its node and leaves the binding to the scheduler.
 */
export { daemonSetController } from "./daemonset-controller.ts";
