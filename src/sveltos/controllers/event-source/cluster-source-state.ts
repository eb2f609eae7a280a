import { planEventSources, type DesiredChange, type EventSourcePlan } from "../../instantiate/index.ts";
import { eventReportName, gvkOf, sveltosNamespace } from "../../api/index.ts";
import { clusterIdOf } from "../../fleet/index.ts";
import { isForbidden, isNotFound, isUnknownKind, type Cluster } from "../../../kube/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import type { ControllerContext } from "../context/index.ts";
import { seedReportOf } from "./collect-agent-report.ts";
import type { EventSourceIndex, EventSourceUse } from "./event-source-index.ts";
import { eventSourceOfReport } from "./event-report.ts";
import { applySourceChange } from "./write-report.ts";

/** What the management cluster says of one cluster's events, at one moment. */
export type ClusterSourceState = {
  readonly key: string;
  readonly uses: readonly EventSourceUse[];
  /** The EventSources that are wanted and there. */
  readonly sources: readonly KubeObject[];
  /** The reports on the cluster, without those that have to stay whoever wants them. */
  readonly reports: readonly KubeObject[];
  readonly isRetained: (eventSource: string) => boolean;
};

export function clusterSourceStateOf(
  { cache }: ControllerContext,
  index: EventSourceIndex,
  key: string,
  reports: Iterable<KubeObject>,
): ClusterSourceState {
  const { wants: uses, isHeld: isRetained } = index.inCluster(key);
  const names = [...new Set(uses.map(({ eventSource }) => eventSource))];
  return {
    key,
    uses,
    sources: names.flatMap((name) => cache.find(gvkOf("EventSource"), "", name) ?? []),
    reports: [...reports].filter((report) => !isRetained(eventSourceOfReport(report))),
    isRetained,
  };
}

/** What to do for a cluster's events when `evaluatedBy` evaluates them and `managed` is what the cluster has of them. */
export function planClusterSources(
  sourceState: ClusterSourceState,
  evaluatedBy: "agent" | "controller",
  managed: readonly KubeObject[],
): EventSourcePlan {
  const { key, uses: triggers, sources, reports, isRetained } = sourceState;
  const wanted = new Set(triggers.map(({ eventSource }) => eventSource));
  const movable = managed.filter(
    (object) => evaluatedBy === "controller" || wanted.has(eventSourceNameOf(object)) || !isRetained(eventSourceNameOf(object)),
  );
  return planEventSources({ cluster: clusterIdOf(key), evaluatedBy, triggers, sources, managed: movable, reports });
}

/** The reports that an agent is given with EventSources that are new to it. */
export function seedReportsFor(
  { key }: ClusterSourceState,
  { managed }: EventSourcePlan,
  { cache }: ControllerContext,
  has: (eventSource: string) => boolean,
): readonly DesiredChange[] {
  const id = clusterIdOf(key);
  const fresh = managed.flatMap((change) => (change.verb === "create" ? [change.object.metadata.name] : []));
  return fresh.flatMap((name) => {
    const existing = cache.find(gvkOf("EventReport"), id.namespace, eventReportName(name, id));
    const seed = existing === undefined || has(name) ? undefined : seedReportOf(existing, name);
    return seed === undefined ? [] : [{ verb: "create", object: seed } as const];
  });
}

/** What a cluster still has of an agent that is not there any more. Who may not look cannot have put it there. */
export async function listLeftByAgent(cluster: Cluster, signal: AbortSignal): Promise<readonly KubeObject[]> {
  const lists = [
    cluster.list(gvkOf("EventSource"), { signal }),
    cluster.list(gvkOf("EventReport"), { namespace: sveltosNamespace, signal }),
  ];
  const found = await Promise.all(
    lists.map((list) =>
      list.catch((error: unknown) => {
        if (isUnknownKind(error) || isNotFound(error) || isForbidden(error)) return { items: [] };
        throw error;
      }),
    ),
  );
  return found.flatMap(({ items }) => items);
}

export async function applySourceChanges(cluster: Cluster, changes: readonly DesiredChange[], signal: AbortSignal): Promise<void> {
  await Promise.all(changes.map((change) => applySourceChange(cluster, change, signal)));
}

/** The EventSource that an object of a managed cluster is, or reports on. */
function eventSourceNameOf(object: KubeObject): string {
  return object.kind === "EventSource" ? object.metadata.name : eventSourceOfReport(object);
}
