import type { KubeObject } from "../../../core/object/index.ts";
import { keyOf, partsOf, type MakeController, type World } from "../controller.ts";
import { controllerOf } from "../owner/index.ts";
import { removeFinalizer } from "../pod/index.ts";
import { isFinished, isManagedElsewhere, isTracked, jobs, trackingFinalizer } from "./job.ts";

/**
 * Takes the finalizer off Pods that no Job will count any more, or they could never go.
 *
 * Models pkg/controller/job/job_controller.go syncOrphanPod
 */
export const jobOrphanPodController: MakeController = (world) => {
  const { api } = world;
  return {
    name: "job-orphan-pod-controller",
    watches: {
      pods: ({ type, object }) => (type !== "DELETED" && isLeftOver(world, object) ? [keyOf(object)] : []),
      [jobs]: ({ type, object }) => {
        if (type !== "DELETED" && !isFinished(object)) return [];
        const owned = api.ownedBy(object.metadata.uid ?? "").filter(({ resource }) => resource === "pods");
        return owned.flatMap(({ object: pod }) => (isTracked(pod) ? [keyOf(pod)] : []));
      },
    },
    reconcile: (key) => {
      const { namespace, name } = partsOf(key);
      const pod = api.read("pods", namespace, name);
      if (pod !== undefined && isLeftOver(world, pod)) removeFinalizer(world, pod, trackingFinalizer);
      return undefined;
    },
  };
};

function isLeftOver({ api }: World, pod: KubeObject): boolean {
  if (!isTracked(pod)) return false;
  const owner = controllerOf(pod);
  if (owner === undefined) return true;
  if (owner.kind !== "Job") return false;
  const job = api.read(jobs, pod.metadata.namespace ?? "", owner.name);
  if (job === undefined || job.metadata.uid !== owner.uid) return true;
  return isFinished(job) && !isManagedElsewhere(job);
}
