import { clusterUidOf, isClusterReady, notReadyReason, type FleetCluster, type FleetEvent } from "./fleet-cluster.ts";
import { equal } from "../../core/object/index.ts";

/** The events that take a cluster from one state to another, in the order in which they are broadcast. */
export function eventsBetween(before: FleetCluster | undefined, after: FleetCluster | undefined): readonly FleetEvent[] {
  if (after === undefined) return before === undefined ? [] : [{ type: "gone", cluster: before }];
  if (before === undefined)
    return [{ type: "added", cluster: after }, ...(isClusterReady(after) ? [{ type: "ready", cluster: after } as const] : [])];
  const { connection } = after;
  if (
    isClusterReady(after) &&
    (!isClusterReady(before) || before.connection !== connection || clusterUidOf(before) !== clusterUidOf(after))
  )
    return [...changesOf(before, after), { type: "ready", cluster: after }];
  if (isClusterReady(before) && !isClusterReady(after))
    return [...changesOf(before, after), { type: "lost", cluster: after, because: notReadyReason(after) }];
  return changesOf(before, after);
}

function changesOf(before: FleetCluster, after: FleetCluster): readonly FleetEvent[] {
  return equal(comparedFields(before), comparedFields(after)) ? [] : [{ type: "changed", cluster: after }];
}

/** The fields whose change is an event. Counters and messages of the status, and what the server maintains, are not. */
function comparedFields({ managed: { labels, ready, down, paused, deleting, object } }: FleetCluster) {
  return { labels, ready, down, paused, deleting, annotations: object.metadata.annotations ?? {}, spec: object["spec"] ?? {} };
}
