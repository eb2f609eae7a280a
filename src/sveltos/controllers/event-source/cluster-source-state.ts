import { planEventSources, type DesiredChange, type EventSourcePlan } from "../../instantiate/index.ts";
import { eventReportName, gvkOf, sveltosNamespace } from "../../api/index.ts";
import { clusterIdOf } from "../../fleet/index.ts";
import { isForbidden, isNotFound, isUnknownKind, type Cluster } from "../../../kube/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import { isTenantLabel, labelsOfTenant } from "../../tenant/index.ts";
import { tenantOf, type ControllerContext } from "../context/index.ts";
import { seedReportOf } from "./collect-agent-report.ts";
import type { EventSourceIndex, EventSourceUse } from "./event-source-index.ts";
import { eventSourceOfReport } from "./event-report-owner.ts";
import { applySourceChange } from "./write-report.ts";

/** The EventSources and EventReports that the management cluster has for one cluster, which is named by the fleet's key. */
export type ClusterSourceState = {
  readonly key: string;
  readonly uses: readonly EventSourceUse[];
  /** The EventSources that are used and exist. */
  readonly sources: readonly KubeObject[];
  /** The reports on the cluster, without the retained ones. */
  readonly reports: readonly KubeObject[];
  readonly isRetained: (eventSource: string) => boolean;
};

export function clusterSourceStateOf(
  { cache }: Pick<ControllerContext, "cache">,
  index: EventSourceIndex,
  key: string,
  reports: Iterable<KubeObject>,
): ClusterSourceState {
  const { uses, isRetained } = index.inCluster(key);
  const names = [...new Set(uses.map(({ eventSource }) => eventSource))];
  return {
    key,
    uses,
    sources: names.flatMap((name) => withTenant(cache.find(gvkOf("EventSource"), "", name), cache)),
    reports: [...reports].filter((report) => !isRetained(eventSourceOfReport(report))),
    isRetained,
  };
}

/** Agents know no RoleRequests, so the copies for them name the ServiceAccount. One that is not known stays as it is, and agents refuse it. */
function withTenant(source: KubeObject | undefined, cache: ControllerContext["cache"]): readonly KubeObject[] {
  if (source === undefined) return [];
  const author = tenantOf(source, { cache });
  if (author.state !== "tenant") return [source];
  const others = Object.entries(source.metadata.labels ?? {}).filter(([label]) => !isTenantLabel(label));
  const labels = { ...Object.fromEntries(others), ...labelsOfTenant(author.tenant) };
  return [{ ...source, metadata: { ...source.metadata, labels } }];
}

/** Plans the writes for a cluster when `evaluatedBy` evaluates its events but these, and `managed` are the objects it has for its agent. */
export function planClusterSources(
  sourceState: ClusterSourceState,
  evaluatedBy: "agent" | "controller",
  managed: readonly KubeObject[],
  withheld: ReadonlySet<string> = new Set(),
): EventSourcePlan {
  const { key, uses: triggers, sources, reports, isRetained } = sourceState;
  const used = new Set(triggers.map(({ eventSource }) => eventSource));
  const changeable = managed.filter(
    (object) => evaluatedBy === "controller" || used.has(eventSourceNameOf(object)) || !isRetained(eventSourceNameOf(object)),
  );
  return planEventSources({ cluster: clusterIdOf(key), evaluatedBy, triggers, sources, managed: changeable, reports, withheld });
}

/** The reports that an agent gets with EventSources that are new to it: further parts, and then the reports that name them. */
export function seedReportsFor(
  { key }: ClusterSourceState,
  { managed }: EventSourcePlan,
  { cache }: ControllerContext,
  has: (eventSource: string) => boolean,
): readonly (readonly DesiredChange[])[] {
  const id = clusterIdOf(key);
  const find = (name: string) => cache.find(gvkOf("EventReport"), id.namespace, name);
  const fresh = managed.flatMap((change) => (change.verb === "create" ? [change.object.metadata.name] : []));
  const seeds = fresh.map((name) => {
    const existing = find(eventReportName(name, id));
    return existing === undefined || has(name) ? [] : seedReportOf(existing, name, find);
  });
  return [seeds.flatMap((parts) => parts.slice(0, -1)), seeds.flatMap((parts) => parts.slice(-1))].map(creationsOf);
}

function creationsOf(objects: readonly KubeObject[]): readonly DesiredChange[] {
  return objects.map((object) => ({ verb: "create", object }));
}

/** The objects that an earlier agent has left in a cluster. Without the right to list them this controller has not created any. */
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

/** The name of the EventSource that an object of a managed cluster is, or reports on. */
function eventSourceNameOf(object: KubeObject): string {
  return object.kind === "EventSource" ? object.metadata.name : eventSourceOfReport(object);
}
