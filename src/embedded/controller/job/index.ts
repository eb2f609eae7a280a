/**
 * Runs Jobs to completion: creates Pods up to the parallelism, counts each once, and retries failures with back-off.
 *
 * Models pkg/controller/job and pkg/controller/ttlafterfinished. Every Pod has a finalizer until it has been counted,
 * so that none is missed.
 */
export { jobs } from "./job-spec.ts";
export { jobController } from "./job-controller.ts";
export { jobOrphanPodController } from "./job-orphan-pod-controller.ts";
export { ttlAfterFinishedController } from "./ttl-after-finished-controller.ts";
