import { numberAt, type Fields } from "../../../core/object/index.ts";
import { isReady, withoutZeros } from "../pod/index.ts";
import { byAge, desiredCount, isWell, type DaemonSync } from "./set.ts";
import { isUpdated } from "./template.ts";

/** Models pkg/controller/daemon/daemon_controller.go updateDaemonSetStatus */
export function statusOf(sync: DaemonSync): Fields {
  const { set, hash, fits, podsOn } = sync;
  const placed = [...fits].filter(([node]) => podsOn.has(node));
  const pods = placed.flatMap(([node, { shouldRun }]) => (shouldRun ? [podsOn.get(node)!.toSorted(byAge)[0]!] : []));
  const desired = desiredCount(sync);
  const available = pods.filter((pod) => isReady(pod) && isWell(sync, pod)).length;
  const collisionCount = numberAt(set, "status.collisionCount");
  return {
    currentNumberScheduled: pods.length,
    numberMisscheduled: placed.length - pods.length,
    desiredNumberScheduled: desired,
    numberReady: pods.filter(isReady).length,
    ...withoutZeros({
      observedGeneration: set.metadata.generation,
      updatedNumberScheduled: pods.filter((pod) => isUpdated(set, hash, pod)).length,
      numberAvailable: available,
      numberUnavailable: desired - available,
    }),
    ...(collisionCount === undefined ? {} : { collisionCount }),
  };
}
