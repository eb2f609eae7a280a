import { condition, numberAt, type KubeObject } from "../../../core/object/index.ts";
import { itself, partsOf, type MakeController } from "../controller.ts";
import { timeMs } from "../pod/index.ts";
import { jobs } from "./job.ts";

/**
 * Deletes Jobs, with their Pods, when they have been finished for as long as they say.
 *
 * Models pkg/controller/ttlafterfinished
 */
export const ttlAfterFinishedController: MakeController = ({ api, clock }) => ({
  name: "ttl-after-finished-controller",
  watches: { [jobs]: itself },
  reconcile: (key) => {
    const { namespace, name } = partsOf(key);
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
  const end = condition(job, "Complete", "True") ?? condition(job, "Failed", "True");
  const endMs = timeMs(end?.lastTransitionTime);
  return seconds === undefined || endMs === undefined ? undefined : endMs + seconds * 1000;
}
