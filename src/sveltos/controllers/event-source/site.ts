import { planSources, type Change, type SourcePlan } from "../../instantiate/index.ts";
import { eventReportName, gvkOf, sveltosNamespace } from "../../api/index.ts";
import { clusterIdOf } from "../../fleet/index.ts";
import { isForbidden, isNotFound, isUnknownKind, type Cluster } from "../../../kube/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import type { Desk } from "../context/index.ts";
import { seedOf } from "./carried.ts";
import type { Demand, Want } from "./demand.ts";
import { sourceOfReport } from "./report-index.ts";
import { perform } from "./reports.ts";

/** What the management cluster says of one cluster's events, at one moment. */
export type Site = {
  readonly key: string;
  readonly wants: readonly Want[];
  /** The EventSources that are wanted and there. */
  readonly sources: readonly KubeObject[];
  /** The reports on the cluster, without those that have to stay whoever wants them. */
  readonly reports: readonly KubeObject[];
  readonly isHeld: (eventSource: string) => boolean;
};

export function siteOf({ copies }: Desk, demand: Demand, key: string, reports: Iterable<KubeObject>): Site {
  const { wants, isHeld } = demand.of(key);
  const names = [...new Set(wants.map(({ eventSource }) => eventSource))];
  return {
    key,
    wants,
    sources: names.flatMap((name) => copies.find(gvkOf("EventSource"), "", name) ?? []),
    reports: [...reports].filter((report) => !isHeld(sourceOfReport(report))),
    isHeld,
  };
}

/** What to do for a cluster's events when `evaluatedBy` evaluates them and `managed` is what the cluster has of them. */
export function planFor(site: Site, evaluatedBy: "agent" | "controller", managed: readonly KubeObject[]): SourcePlan {
  const { key, wants: triggers, sources, reports, isHeld } = site;
  const wanted = new Set(triggers.map(({ eventSource }) => eventSource));
  const movable = managed.filter((object) => evaluatedBy === "controller" || wanted.has(nameOf(object)) || !isHeld(nameOf(object)));
  return planSources({ cluster: clusterIdOf(key), evaluatedBy, triggers, sources, managed: movable, reports });
}

/** The reports that an agent is given with EventSources that are new to it. */
export function seedsFor(
  { key }: Site,
  { managed }: SourcePlan,
  { copies }: Desk,
  has: (eventSource: string) => boolean,
): readonly Change[] {
  const id = clusterIdOf(key);
  const fresh = managed.flatMap((change) => (change.verb === "create" ? [change.object.metadata.name] : []));
  return fresh.flatMap((name) => {
    const there = copies.find(gvkOf("EventReport"), id.namespace, eventReportName(name, id));
    const seed = there === undefined || has(name) ? undefined : seedOf(there, name);
    return seed === undefined ? [] : [{ verb: "create", object: seed } as const];
  });
}

/** What a cluster still has of an agent that is not there any more. Who may not look cannot have put it there. */
export async function leftByAgent(cluster: Cluster, signal: AbortSignal): Promise<readonly KubeObject[]> {
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

export async function performAll(cluster: Cluster, changes: readonly Change[], signal: AbortSignal): Promise<void> {
  await Promise.all(changes.map((change) => perform(cluster, change, signal)));
}

/** The EventSource that an object of a managed cluster is, or reports on. */
function nameOf(object: KubeObject): string {
  return object.kind === "EventSource" ? object.metadata.name : sourceOfReport(object);
}
