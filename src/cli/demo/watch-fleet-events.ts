import { gvkOf } from "../../sveltos/api/index.ts";
import { newInformer, type Cluster } from "../../kube/index.ts";
import { equal, keyOf, type GroupVersionKind, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import type { DemoFleet } from "./demo-fleet.ts";
import { summaryEvent, reportEvent, workloadEvent, type DemoEvent } from "./demo-event.ts";
import { mergeStreams } from "./merge-streams.ts";

/** The kinds whose objects have a health to wait for. */
const workloads: readonly GroupVersionKind[] = [
  { group: "apps", version: "v1", kind: "Deployment" },
  { group: "batch", version: "v1", kind: "Job" },
];

export function isWorkload({ group, kind }: ObjectRef): boolean {
  return workloads.some((each) => each.group === group && each.kind === kind);
}

/**
 * Watches a fleet and yields its events until the signal aborts. Begins with what has happened already, and yields what does
 * not change only once.
 */
export async function* watchFleetEvents({ hub, managed }: DemoFleet, signal: AbortSignal): AsyncGenerator<DemoEvent> {
  // Of events that arrive together the cause comes first: health, then the event, then what is deployed because of it.
  yield* mergeStreams([
    ...[...managed].flatMap(([name, cluster]) =>
      workloads.map((kind) => watchKindEvents(cluster, kind, (object) => workloadEvent(name, object), signal)),
    ),
    watchKindEvents(hub, gvkOf("EventReport"), reportEvent, signal),
    watchKindEvents(hub, gvkOf("ClusterSummary"), summaryEvent, signal),
  ]);
}

/** Yields the event that each object of a kind stands for, whenever it differs from the last one. */
async function* watchKindEvents(
  cluster: Cluster,
  kind: GroupVersionKind,
  read: (object: KubeObject) => DemoEvent | undefined,
  signal: AbortSignal,
): AsyncGenerator<DemoEvent> {
  const last = new Map<string, DemoEvent>();
  for await (const change of newInformer(cluster, kind, { signal })) {
    if (change.type !== "added" && change.type !== "modified") continue;
    const event = read(change.object);
    const key = keyOf({ ...kind, namespace: change.object.metadata.namespace ?? "", name: change.object.metadata.name });
    if (event === undefined || equal(event, last.get(key))) continue;
    last.set(key, event);
    yield event;
  }
}
