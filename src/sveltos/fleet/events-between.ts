import { isClusterReady, notReadyReason, type FleetCluster, type FleetEvent } from "./fleet-cluster.ts";
import { equal } from "../../core/object/index.ts";

/** What has happened to a cluster between two moments, in the order in which it is told. */
export function eventsBetween(before: FleetCluster | undefined, after: FleetCluster | undefined): readonly FleetEvent[] {
  if (after === undefined) return before === undefined ? [] : [{ type: "gone", cluster: before }];
  if (before === undefined)
    return [{ type: "added", cluster: after }, ...(isClusterReady(after) ? [{ type: "ready", cluster: after } as const] : [])];
  const { connection } = after;
  if (isClusterReady(after) && (!isClusterReady(before) || before.connection !== connection))
    return [...changesOf(before, after), { type: "ready", cluster: after }];
  if (isClusterReady(before) && !isClusterReady(after))
    return [...changesOf(before, after), { type: "lost", cluster: after, because: notReadyReason(after) }];
  return changesOf(before, after);
}

/** What matters to others: everything that an object says, but counters and messages of its status and what the server keeps. */
function changesOf(before: FleetCluster, after: FleetCluster): readonly FleetEvent[] {
  return equal(comparedFields(before), comparedFields(after)) ? [] : [{ type: "changed", cluster: after }];
}

function comparedFields({ managed: { labels, ready, down, paused, deleting, object } }: FleetCluster) {
  return { labels, ready, down, paused, deleting, annotations: object.metadata.annotations ?? {}, spec: object["spec"] ?? {} };
}
