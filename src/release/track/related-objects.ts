import { assess } from "../../health/index.ts";
import { hasStatus, isForbidden, type Cluster } from "../../kube/index.ts";
import type { GroupVersionKind, KubeObject } from "../../core/object/index.ts";
import type { GateContext } from "./gate-check.ts";
import type { FoundObject } from "./read-health.ts";
import { hasPods, PodIndex } from "./pod-index.ts";
import { failedCreateSelector, FailedCreates, reportsByEvents } from "./failed-creates.ts";

/** What gates need beside the objects, read once. */
export type RelatedObjects = Pick<GateContext, "pods" | "refusal"> & {
  /** All objects of a kind in a namespace. */
  readonly all: (kind: "Service" | "EndpointSlice", namespace: string) => Iterable<KubeObject>;
};

const podKind = { group: "", version: "v1", kind: "Pod" };
const eventKind = { group: "", version: "v1", kind: "Event" };
const serviceKind = { group: "", version: "v1", kind: "Service" };
const sliceKind = { group: "discovery.k8s.io", version: "v1", kind: "EndpointSlice" };

/** Reads pods, events and related objects of those that are not ready by their own status, namespace by namespace. */
export async function readRelatedObjects(seen: readonly FoundObject[], cluster: Cluster, signal: AbortSignal): Promise<RelatedObjects> {
  const troubled = seen.filter(needsMore);
  const read = (kind: GroupVersionKind, of: (each: FoundObject) => boolean, fieldSelector?: string) =>
    byNamespace(troubled.filter(of), (namespace) => listed(cluster, kind, namespace, signal, fieldSelector));
  const [pods, events, services, slices] = await Promise.all([
    read(podKind, ({ live }) => hasPods(live!)),
    read(eventKind, ({ live }) => reportsByEvents(live!), failedCreateSelector),
    read(serviceKind, ({ live }) => live!.kind === "Ingress"),
    read(sliceKind, ({ live }) => live!.kind === "Ingress" || live!.kind === "Service"),
  ]);
  const podsOf = new Map(
    [...pods].map(([namespace, list]) => [
      namespace,
      new PodIndex({ all: () => list, find: () => undefined, watch: () => () => undefined }),
    ]),
  );
  const refusalsOf = new Map([...events].map(([namespace, list]) => [namespace, refusalsIn(list)]));
  return {
    pods: (object) => (hasPods(object) ? (podsOf.get(namespaceOf(object))?.of(object) ?? []) : []),
    refusal: (object, own) => (reportsByEvents(object) ? refusalsOf.get(namespaceOf(object))?.of(object, own, object) : undefined),
    all: (kind, namespace) => (kind === "Service" ? services : slices).get(namespace) ?? [],
  };
}

/** An object that is ready by its own status needs nothing more, unless the gate is KOTS'. */
function needsMore({ query, resource, live }: FoundObject): boolean {
  if (live === undefined || resource === undefined) return false;
  const kots = query.gates.some(({ until }) => until === "kots-ready");
  return kots || assess(live, { hasStatus: hasStatus(resource) }).state !== "ready";
}

function namespaceOf({ metadata }: KubeObject): string {
  return metadata.namespace ?? "";
}

async function byNamespace(
  seen: readonly FoundObject[],
  read: (namespace: string) => Promise<readonly KubeObject[]>,
): Promise<ReadonlyMap<string, readonly KubeObject[]>> {
  const namespaces = [...new Set(seen.map(({ live }) => namespaceOf(live!)))];
  return new Map(await Promise.all(namespaces.map(async (namespace) => [namespace, await read(namespace)] as const)));
}

/** Without the right to list, only the objects' own status counts. */
async function listed(
  cluster: Cluster,
  kind: GroupVersionKind,
  namespace: string,
  signal: AbortSignal,
  fieldSelector?: string,
): Promise<readonly KubeObject[]> {
  try {
    const { items } = await cluster.list(kind, { namespace, signal, ...(fieldSelector === undefined ? {} : { fieldSelector }) });
    return items;
  } catch (error) {
    if (isForbidden(error)) return [];
    throw error;
  }
}

function refusalsIn(events: readonly KubeObject[]): FailedCreates {
  const watch = (on: (event: KubeObject) => void) => {
    for (const event of events) on(event);
    return () => undefined;
  };
  return new FailedCreates({ isSynced: true, watch });
}
