import { findCondition, numberAt, type KubeObject } from "../../../core/object/index.ts";
import { enqueueObject, splitKey, type ControllerConstructor } from "../controller.ts";
import { timeMs } from "../pod/index.ts";
import { jobs } from "./job-spec.ts";

/**
 * Deletes finished Jobs, with their Pods, after ttlSecondsAfterFinished.
 *
 * Models pkg/controller/ttlafterfinished
 */
export const ttlAfterFinishedController: ControllerConstructor = ({ api, clock }) => ({
  name: "ttl-after-finished-controller",
  watches: { [jobs]: enqueueObject },
  reconcile: (key) => {
    const { namespace, name } = splitKey(key);
    const job = api.read(jobs, namespace, name);
    if (job === undefined || job.metadata.deletionTimestamp !== undefined) return undefined;
    const expiresMs = expiryMs(job);
    if (expiresMs === undefined) return undefined;
    const leftMs = expiresMs - clock.now();
    if (leftMs > 0) return leftMs;
    const { uid } = job.metadata;
    api.delete(jobs, namespace, name, { propagation: "foreground", ...(uid === undefined ? {} : { uid }) });
    return undefined;
  },
});

function expiryMs(job: KubeObject): number | undefined {
  const seconds = numberAt(job, "spec.ttlSecondsAfterFinished");
  const end = findCondition(job, "Complete", "True") ?? findCondition(job, "Failed", "True");
  const endMs = timeMs(end?.lastTransitionTime);
  return seconds === undefined || endMs === undefined ? undefined : endMs + seconds * 1000;
}
