/**
 * Runs Jobs to completion: as many Pods as are wanted at once, each counted once, failures tried again after a while.
 *
 * Models pkg/controller/job and pkg/controller/ttlafterfinished. Every Pod carries a finalizer until it has been counted, so that
 * none is missed however fast it goes.
 */
export { jobController } from "./job-controller.ts";
export { jobOrphanPodController } from "./job-orphan-pod-controller.ts";
export { ttlAfterFinishedController } from "./ttl-after-finished-controller.ts";
