import type { KubeObject } from "../../../core/object/index.ts";
import { namespacedKeyOf, splitKey, type ControllerConstructor, type EmbeddedControllerContext } from "../controller.ts";
import { controllerOf } from "../owner/index.ts";
import { removeFinalizer } from "../pod/index.ts";
import { isFinished, isManagedElsewhere, isTracked, jobs, trackingFinalizer } from "./job-spec.ts";

/**
 * Removes the finalizer of Pods that no Job will count any more, so that they can be deleted.
 *
 * Models pkg/controller/job/job_controller.go syncOrphanPod
 */
export const jobOrphanPodController: ControllerConstructor = (context) => {
  const { api } = context;
  return {
    name: "job-orphan-pod-controller",
    watches: {
      pods: ({ type, object }) => (type !== "DELETED" && isOrphanJobPod(context, object) ? [namespacedKeyOf(object)] : []),
      [jobs]: ({ type, object }) => {
        if (type !== "DELETED" && !isFinished(object)) return [];
        const owned = api.ownedBy(object.metadata.uid ?? "").filter(({ resource }) => resource === "pods");
        return owned.flatMap(({ object: pod }) => (isTracked(pod) ? [namespacedKeyOf(pod)] : []));
      },
    },
    reconcile: (key) => {
      const { namespace, name } = splitKey(key);
      const pod = api.read("pods", namespace, name);
      if (pod !== undefined && isOrphanJobPod(context, pod)) removeFinalizer(context, pod, trackingFinalizer);
      return undefined;
    },
  };
};

function isOrphanJobPod({ api }: EmbeddedControllerContext, pod: KubeObject): boolean {
  if (!isTracked(pod)) return false;
  const owner = controllerOf(pod);
  if (owner === undefined) return true;
  if (owner.kind !== "Job") return false;
  const job = api.read(jobs, pod.metadata.namespace ?? "", owner.name);
  if (job === undefined || job.metadata.uid !== owner.uid) return true;
  return isFinished(job) && !isManagedElsewhere(job);
}
