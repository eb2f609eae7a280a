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
  /** Who evaluates the events of the cluster: an agent inside of it, or the controller from the management cluster. */
  readonly evaluatedBy: "agent" | "controller";
  /** The triggers that the cluster matches, each with the EventSource that it means there (`eventSourceFor`). */
  readonly triggers: readonly { readonly trigger: Pick<EventTrigger, "metadata" | "kind">; readonly eventSource: string }[];
  /** The EventSources of the management cluster. */
  readonly sources: readonly KubeObject[];
  /** The EventSources and EventReports of the managed cluster. */
  readonly managed: readonly KubeObject[];
  /** The EventReports of the management cluster. */
  readonly reports: readonly KubeObject[];
};

export type EventSourcePlan = {
  /** The EventSources that are to be evaluated for the cluster. */
  readonly sources: readonly string[];
  /** What triggers mean and nobody has defined. */
  readonly missing: readonly string[];
  /** What to do in the managed cluster. */
  readonly managed: readonly DesiredChange[];
  /** What to do in the management cluster. */
  readonly management: readonly DesiredChange[];
  readonly problems: readonly Problem[];
};

/** Who wants the copy. Owner references would name owners of another cluster, for whose absence a garbage collector deletes. */
const ownerKind = "projectsveltos.io/owner-kind";
const ownerName = "projectsveltos.io/owner-name";

/**
 * Says which EventSources one cluster evaluates, which copies of them it must have for its agent, and which reports are of
 * no use any more. An EventSource that no trigger of the cluster means goes with its reports.
 */
export function planEventSources(input: EventSourcePlanInput): EventSourcePlan {
  const defined = new Map(input.sources.filter(isStaying).map((source) => [source.metadata.name, source]));
  const meant = [...new Set(input.triggers.map(({ eventSource }) => eventSource))].toSorted();
  const sources = meant.filter((name) => defined.has(name));
  const there = new Map(input.managed.filter(isSource).map((copy) => [copy.metadata.name, copy]));
  const copied = input.evaluatedBy === "agent" ? sources : [];
  const problems: Problem[] = [];
  const copies = copied.flatMap((name) => {
    const [source, live] = [defined.get(name), there.get(name)];
    if (source === undefined || isSameObject(source, live)) return [];
    if (live !== undefined && !isCopy(live)) problems.push(foreignSourceProblem(name));
    return live !== undefined && !isCopy(live) ? [] : changeTo(copyOf(source, ownersOf(name, input)), live);
  });
  return {
    sources,
    missing: meant.filter((name) => !defined.has(name)),
    managed: [...copies, ...input.managed.filter((object) => isObsolete(object, copied)).map(deleteChangeOf)],
    management: input.reports
      .filter((report) => isReportOf(report, input.cluster) && isStaying(report) && !sources.includes(sourceOf(report)))
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

/** One that is being deleted is made anew when it is gone: its agent still has to put things right. */
function changeTo(copy: KubeObject, live: KubeObject | undefined): readonly DesiredChange[] {
  if (live === undefined) return [{ verb: "create", object: copy }];
  if (!isStaying(live)) return [];
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

/** A management cluster that manages itself has the definition already: evaluating it needs no copy. */
function isSameObject(source: KubeObject, live: KubeObject | undefined): boolean {
  return live?.metadata.uid !== undefined && live.metadata.uid === source.metadata.uid;
}

function foreignSourceProblem(name: string): Problem {
  const message = `the cluster has an EventSource ${name} that was not put there by a controller: it stays as it is, and its events are not reported`;
  return { at: `EventSource ${name}`, message };
}

/** Copies that nobody wants any more, and the agent's reports on EventSources of which there is to be no copy. */
function isObsolete(object: KubeObject, copied: readonly string[]): boolean {
  if (!isStaying(object)) return false;
  if (isSource(object)) return isCopy(object) && !copied.includes(object.metadata.name);
  return isAgentReport(object) && !copied.includes(sourceOf(object));
}

/** The reports that say whose they are belong to the management cluster, where that is a managed one too. */
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

/** A name that is too long for a label stands there shortened. */
function sourceOf(report: KubeObject): string {
  return stringAt(report, "spec.eventSourceName") ?? report.metadata.labels?.[eventSourceNameLabel] ?? "";
}

function isSource({ kind }: KubeObject): boolean {
  return kind === "EventSource";
}

function isCopy({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[deployedBySveltosAnnotation] !== undefined;
}

function isStaying({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp === undefined;
}
