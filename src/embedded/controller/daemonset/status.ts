import { numberAt, type Fields } from "../../../core/object/index.ts";
import { isPodReady, withoutZeros } from "../pod/index.ts";
import { byBoundThenAge, desiredCount, isDaemonPodAvailable, type DaemonSync } from "./daemon-sync.ts";
import { isUpdated } from "./daemon-pod-template.ts";

/** Models pkg/controller/daemon/daemon_controller.go updateDaemonSetStatus */
export function daemonSetStatusOf(sync: DaemonSync): Fields {
  const { set, hash, fits, podsOn } = sync;
  const placed = [...fits].filter(([node]) => podsOn.has(node));
  const pods = placed.flatMap(([node, { shouldRun }]) => (shouldRun ? [podsOn.get(node)!.toSorted(byBoundThenAge)[0]!] : []));
  const desired = desiredCount(sync);
  const available = pods.filter((pod) => isPodReady(pod) && isDaemonPodAvailable(sync, pod)).length;
  const collisionCount = numberAt(set, "status.collisionCount");
  return {
    currentNumberScheduled: pods.length,
    numberMisscheduled: placed.length - pods.length,
    desiredNumberScheduled: desired,
    numberReady: pods.filter(isPodReady).length,
    ...withoutZeros({
      observedGeneration: set.metadata.generation,
      updatedNumberScheduled: pods.filter((pod) => isUpdated(set, hash, pod)).length,
      numberAvailable: available,
      numberUnavailable: desired - available,
    }),
    ...(collisionCount === undefined ? {} : { collisionCount }),
  };
}
