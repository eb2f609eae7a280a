/**
 * Keeps one Pod on each node that should have one.
 *
 * Models pkg/controller/daemon. It pins every Pod to its node and leaves the binding to the scheduler.
 */
export { daemonSetController } from "./daemonset-controller.ts";
