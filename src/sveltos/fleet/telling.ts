import { isReady, reasonOf, type FleetCluster, type FleetEvent } from "./cluster.ts";
import { equal } from "../../core/object/index.ts";

/** What has happened to a cluster between two moments, in the order in which it is told. */
export function eventsBetween(before: FleetCluster | undefined, after: FleetCluster | undefined): readonly FleetEvent[] {
  if (after === undefined) return before === undefined ? [] : [{ type: "gone", cluster: before }];
  if (before === undefined)
    return [{ type: "added", cluster: after }, ...(isReady(after) ? [{ type: "ready", cluster: after } as const] : [])];
  const { link } = after;
  if (isReady(after) && (!isReady(before) || before.link !== link)) return [...changesOf(before, after), { type: "ready", cluster: after }];
  if (isReady(before) && !isReady(after)) return [...changesOf(before, after), { type: "lost", cluster: after, because: reasonOf(after) }];
  return changesOf(before, after);
}

/** What matters to others: everything that an object says, but counters and messages of its status and what the server keeps. */
function changesOf(before: FleetCluster, after: FleetCluster): readonly FleetEvent[] {
  return equal(matter(before), matter(after)) ? [] : [{ type: "changed", cluster: after }];
}

function matter({ managed: { labels, ready, down, paused, deleting, object } }: FleetCluster) {
  return { labels, ready, down, paused, deleting, annotations: object.metadata.annotations ?? {}, spec: object["spec"] ?? {} };
}
