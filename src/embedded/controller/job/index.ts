/**
 * Runs Jobs to completion: as many Pods as are wanted at once, each counted once, failures tried again after a while.
 *
 * Models pkg/controller/job and pkg/controller/ttlafterfinished. Every Pod carries a finalizer until it has been counted, so that
 * none is missed however fast it goes.
 */
export { jobController } from "./controller.ts";
export { jobOrphanPodController } from "./orphan-pod.ts";
export { ttlAfterFinishedController } from "./ttl.ts";
