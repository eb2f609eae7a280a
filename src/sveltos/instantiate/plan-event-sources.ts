import {
  deployedBySveltosAnnotation,
  eventSourceNameLabel,
  labelValue,
  reportClusterNameLabel,
  reportClusterTypeLabel,
  typeInNames,
  type ClusterId,
  type EventTrigger,
} from "../api/index.ts";
import type { Problem } from "../../core/fault/index.ts";
import { equal, stringAt, type KubeObject } from "../../core/object/index.ts";
import { deleteChangeOf, type DesiredChange } from "./diff-generated.ts";

export type EventSourcePlanInput = {
  readonly cluster: ClusterId;
  /** An agent in the cluster, or the controller in the management cluster. */
  readonly evaluatedBy: "agent" | "controller";
  /** The triggers that match the cluster, each with the name of its EventSource there (`eventSourceFor`). */
  readonly triggers: readonly { readonly trigger: Pick<EventTrigger, "metadata" | "kind">; readonly eventSource: string }[];
  /** The EventSources of the management cluster. */
  readonly sources: readonly KubeObject[];
  /** The EventSources and EventReports of the managed cluster. */
  readonly managed: readonly KubeObject[];
  /** The EventReports of the management cluster. */
  readonly reports: readonly KubeObject[];
  /** EventSources that an agent must not evaluate. Their reports stay in the management cluster. Default: none. */
  readonly withheld?: ReadonlySet<string>;
};

export type EventSourcePlan = {
  /** The names of the EventSources to evaluate for the cluster. */
  readonly sources: readonly string[];
  /** EventSources that triggers name and that do not exist. */
  readonly missing: readonly string[];
  /** The writes to the managed cluster. */
  readonly managed: readonly DesiredChange[];
  /** The writes to the management cluster. */
  readonly management: readonly DesiredChange[];
  readonly problems: readonly Problem[];
};

/** The triggers that need the copy. The garbage collector would delete a copy with owner references to another cluster. */
const ownerKind = "projectsveltos.io/owner-kind";
const ownerName = "projectsveltos.io/owner-name";

/**
 * Plans which EventSources are evaluated for one cluster, which copies its agent needs, and which copies and reports to
 * prune. An EventSource that no matching trigger names is pruned with its reports.
 */
export function planEventSources(input: EventSourcePlanInput): EventSourcePlan {
  const defined = new Map(input.sources.filter(isActive).map((source) => [source.metadata.name, source]));
  const named = [...new Set(input.triggers.map(({ eventSource }) => eventSource))].toSorted();
  const sources = named.filter((name) => defined.has(name));
  const existing = new Map(input.managed.filter(isSource).map((copy) => [copy.metadata.name, copy]));
  const copied = input.evaluatedBy === "agent" ? sources.filter((name) => !input.withheld?.has(name)) : [];
  const problems: Problem[] = [];
  const copies = copied.flatMap((name) => {
    const [source, live] = [defined.get(name), existing.get(name)];
    if (source === undefined || isSameObject(source, live)) return [];
    if (live !== undefined && !isCopy(live)) problems.push(foreignSourceProblem(name));
    return live !== undefined && !isCopy(live) ? [] : changeTo(copyOf(source, ownersOf(name, input)), live);
  });
  return {
    sources,
    missing: named.filter((name) => !defined.has(name)),
    managed: [...copies, ...input.managed.filter((object) => isObsolete(object, copied)).map(deleteChangeOf)],
    management: input.reports
      .filter((report) => isReportOf(report, input.cluster) && isActive(report) && !sources.includes(sourceOf(report)))
      .map(deleteChangeOf),
    problems,
  };
}

function copyOf({ apiVersion, kind, metadata, spec }: KubeObject, owners: EventSourcePlanInput["triggers"]): KubeObject {
  const kinds = [...new Set(owners.map(({ trigger }) => trigger.kind))].toSorted();
  const names = [...new Set(owners.map(({ trigger }) => trigger.metadata.name))].toSorted();
  return {
    apiVersion,
    kind,
    metadata: {
      name: metadata.name,
      ...(metadata.labels !== undefined && { labels: metadata.labels }),
      annotations: { [deployedBySveltosAnnotation]: "true", [ownerKind]: kinds.join(","), [ownerName]: names.join(",") },
    },
    spec,
  };
}

function ownersOf(name: string, { triggers }: EventSourcePlanInput): EventSourcePlanInput["triggers"] {
  return triggers.filter(({ eventSource }) => eventSource === name);
}

/** A copy that is being deleted is created again when it is gone, because the agent may still hold a finalizer. */
function changeTo(copy: KubeObject, live: KubeObject | undefined): readonly DesiredChange[] {
  if (live === undefined) return [{ verb: "create", object: copy }];
  if (!isActive(live)) return [];
  const { managedFields: _fields, labels, annotations, ...metadata } = live.metadata;
  const object = {
    ...live,
    ...copy,
    metadata: { ...metadata, ...copy.metadata, annotations: { ...annotations, ...copy.metadata.annotations } },
  };
  const isSame =
    equal(copy["spec"], live["spec"]) && equal(copy.metadata.labels ?? {}, labels ?? {}) && equal(object.metadata.annotations, annotations);
  return isSame ? [] : [{ verb: "update", object }];
}

/** A management cluster that manages itself already has the EventSource and needs no copy. */
function isSameObject(source: KubeObject, live: KubeObject | undefined): boolean {
  return live?.metadata.uid !== undefined && live.metadata.uid === source.metadata.uid;
}

function foreignSourceProblem(name: string): Problem {
  const message = `the cluster has an EventSource ${name} that was not put there by a controller: it stays as it is, and its events are not reported`;
  return { at: `EventSource ${name}`, message };
}

/** Whether to prune an object: a copy that no trigger needs, or an agent's report of an EventSource without a copy. */
function isObsolete(object: KubeObject, copied: readonly string[]): boolean {
  if (!isActive(object)) return false;
  if (isSource(object)) return isCopy(object) && !copied.includes(object.metadata.name);
  return isAgentReport(object) && !copied.includes(sourceOf(object));
}

/** A report with a cluster label belongs to the management cluster, which may itself be managed. */
function isAgentReport({ kind, metadata }: KubeObject): boolean {
  return kind === "EventReport" && metadata.labels?.[reportClusterNameLabel] === undefined;
}

function isReportOf({ kind, metadata: { namespace, labels } }: KubeObject, cluster: ClusterId): boolean {
  return (
    kind === "EventReport" &&
    namespace === cluster.namespace &&
    labels?.[reportClusterNameLabel] === labelValue(cluster.name) &&
    labels[reportClusterTypeLabel] === typeInNames(cluster.type)
  );
}

/** Prefers the spec: the label holds a long name in shortened form. */
function sourceOf(report: KubeObject): string {
  return stringAt(report, "spec.eventSourceName") ?? report.metadata.labels?.[eventSourceNameLabel] ?? "";
}

function isSource({ kind }: KubeObject): boolean {
  return kind === "EventSource";
}

function isCopy({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[deployedBySveltosAnnotation] !== undefined;
}

function isActive({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp === undefined;
}
