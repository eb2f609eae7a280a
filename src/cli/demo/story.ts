import { gvkOf } from "../../sveltos/api/index.ts";
import { inform, type Cluster } from "../../kube/index.ts";
import { equal, keyOf, type GroupVersionKind, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import type { DemoFleet } from "./fleet.ts";
import { deploymentOf, eventOf, workloadIn, type Happening } from "./happening.ts";
import { merged } from "./merged.ts";

/** The kinds whose objects do something, and so become healthy or do not. */
const workloads: readonly GroupVersionKind[] = [
  { group: "apps", version: "v1", kind: "Deployment" },
  { group: "batch", version: "v1", kind: "Job" },
];

export function isWorkload({ group, kind }: ObjectRef): boolean {
  return workloads.some((each) => each.group === group && each.kind === kind);
}

/**
 * Tells what happens in a fleet, from what its clusters say, until the signal. What has happened already is told first; what
 * stays as it is, once.
 */
export async function* story({ hub, managed }: DemoFleet, signal: AbortSignal): AsyncGenerator<Happening> {
  // Where several have news at once the cause comes first: health, then the event, then what is deployed because of it.
  yield* merged([
    ...[...managed].flatMap(([name, cluster]) =>
      workloads.map((kind) => happeningsIn(cluster, kind, (object) => workloadIn(name, object), signal)),
    ),
    happeningsIn(hub, gvkOf("EventReport"), eventOf, signal),
    happeningsIn(hub, gvkOf("ClusterSummary"), deploymentOf, signal),
  ]);
}

/** What the objects of a kind say, each time that it is something else than before. */
async function* happeningsIn(
  cluster: Cluster,
  kind: GroupVersionKind,
  read: (object: KubeObject) => Happening | undefined,
  signal: AbortSignal,
): AsyncGenerator<Happening> {
  const told = new Map<string, Happening>();
  for await (const change of inform(cluster, kind, { signal })) {
    if (change.type !== "added" && change.type !== "modified") continue;
    const happening = read(change.object);
    const key = keyOf({ ...kind, namespace: change.object.metadata.namespace ?? "", name: change.object.metadata.name });
    if (happening === undefined || equal(happening, told.get(key))) continue;
    told.set(key, happening);
    yield happening;
  }
}
