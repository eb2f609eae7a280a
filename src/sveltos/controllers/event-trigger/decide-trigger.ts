import {
  eventSourceFor,
  instantiate,
  lineOfProblem,
  withdrawTrigger,
  type DesiredChange,
  type InstantiationCache,
  type EventProblem,
  type EventTemplates,
  type HubReference,
} from "../../instantiate/index.ts";
import { readEventReport, type EventReport } from "../../report/index.ts";
import {
  eventReportName,
  gvkOf,
  failureMessageOf,
  readEventSource,
  readEventTrigger,
  valueHash,
  type EventTrigger,
  type ManagedCluster,
  type ReadResult,
} from "../../api/index.ts";
import { Fault, lineFor } from "../../../core/fault/index.ts";
import { fieldsAt, type KubeObject } from "../../../core/object/index.ts";
import type { SharedCache } from "../context/index.ts";
import { configMapKind, secretKind } from "./generated-index.ts";
import type { ClusterResult, TriggerFailure } from "./cluster-results.ts";
import { matchCluster } from "./cluster-match.ts";
import { dependencyKey } from "./dependency-index.ts";

export type DecisionInput = {
  /** The trigger that counts; undefined when it is gone. */
  readonly trigger: KubeObject | undefined;
  /** Undefined when it is gone. */
  readonly cluster: ManagedCluster | undefined;
  /** All that was made for the two. */
  readonly generated: readonly KubeObject[];
};

export type DecisionContext = {
  readonly cache: SharedCache;
  readonly templates: EventTemplates;
  readonly random: () => number;
  /** The memory of the pair, made when it is needed. */
  readonly memory: () => InstantiationCache;
};

/** What is to be done for one trigger and one cluster. */
export type TriggerDecision = {
  readonly changes: readonly DesiredChange[];
  /** Something goes once profiles are gone or changed. */
  readonly isWaiting: boolean;
  /** The objects on which the verdict rests, beside the trigger, the cluster and what was made. */
  readonly dependencies: readonly string[];
  /** Left out where there is nothing new to tell. */
  readonly result?: Omit<ClusterResult, "cluster">;
  /** The report that was worked in, by what tells it from others. */
  readonly report?: string;
};

const noChanges = { changes: [], isWaiting: false } as const;

/**
 * Decides by what the copies hold at this moment; waits for nothing. What was made is withdrawn only where it is certain
 * that nothing wants it: the trigger, the cluster or the EventSource is gone, or the cluster, being in order, does not match.
 */
export function decideTrigger(
  pair: Parameters<typeof withdrawTrigger>[1],
  label: string,
  input: DecisionInput,
  context: DecisionContext,
): TriggerDecision {
  const { trigger, cluster, generated } = input;
  const leave = (
    dependencies: readonly string[] = [],
    rest: { matching: boolean; troubles: readonly TriggerFailure[] } = { matching: false, troubles: [] },
  ) => withdrawal(withdrawTrigger(label, pair, generated), generated, dependencies, rest);
  if (trigger === undefined || trigger.metadata.deletionTimestamp !== undefined || cluster === undefined) return leave();
  const reading = readTrigger(trigger);
  // The trigger's own status says what is wrong with it.
  if (reading.state === "invalid" || reading.refused.length > 0) return { ...noChanges, dependencies: [] };
  const match = matchCluster(reading.value, cluster, context.cache);
  if (match.state === "strange") return leave();
  if (match.state === "unclear") {
    const dependencies = match.sets.map((name) => dependencyKey({ kind: "ClusterSet", name }));
    return hold(dependencies, { matching: false, ...(generated.length > 0 && { note: match.because }) });
  }
  const meant = eventSourceFor(reading.value, cluster, context.templates);
  if ("problem" in meant) return hold([], { matching: true, troubles: [{ reason: "TemplateFailed", message: lineFor(meant.problem) }] });
  return decideForSource({ trigger: reading.value, cluster, generated, name: meant.name }, leave, context);
}

type MatchedTrigger = {
  readonly trigger: EventTrigger;
  readonly cluster: ManagedCluster;
  readonly generated: readonly KubeObject[];
  readonly name: string;
};
type Withdraw = (dependencies: readonly string[], rest: { matching: boolean; troubles: readonly TriggerFailure[] }) => TriggerDecision;

function decideForSource(matched: MatchedTrigger, leave: Withdraw, context: DecisionContext): TriggerDecision {
  const { cluster, name } = matched;
  const source = context.cache.find(gvkOf("EventSource"), "", name);
  const reportRef = { kind: "EventReport", namespace: cluster.namespace, name: eventReportName(name, cluster) };
  const dependencies = [dependencyKey({ kind: "EventSource", name }), dependencyKey(reportRef)];
  if (source === undefined || source.metadata.deletionTimestamp !== undefined)
    return leave(dependencies, {
      matching: true,
      troubles: [{ reason: "EventSourceMissing", message: `EventSource ${name} does not exist` }],
    });
  const objection = failureMessageOf(readEventSource(source));
  if (objection !== undefined)
    return hold(dependencies, {
      matching: true,
      troubles: [{ reason: "EventSourceRefused", message: `EventSource ${name}: ${objection}` }],
    });
  const object = context.cache.find(gvkOf("EventReport"), reportRef.namespace, reportRef.name);
  if (object === undefined || object.metadata.deletionTimestamp !== undefined)
    return hold(dependencies, { matching: true, note: `there is no report on EventSource ${name} yet` });
  if (isEmptied(object)) return hold(dependencies, { matching: true, note: `somebody has emptied the report on EventSource ${name}` });
  const report = reportOf(object);
  if (report instanceof Fault)
    return hold(dependencies, {
      matching: true,
      troubles: [{ reason: "ReportUnreadable", message: `EventReport ${reportRef.name}: ${report.message}` }],
    });
  return decideForEvents(matched, { source, object, report: { eventSource: name, matches: report.matches }, dependencies }, context);
}

/** An evaluation that finds nothing leaves the list out. One that is there and empty is no finding, and is put right soon. */
function isEmptied(report: KubeObject): boolean {
  const { matchingResources } = fieldsAt(report, "spec");
  return Array.isArray(matchingResources) && matchingResources.length === 0;
}

type FoundReport = {
  readonly source: KubeObject;
  readonly object: KubeObject;
  readonly report: Pick<EventReport, "eventSource" | "matches">;
  readonly dependencies: readonly string[];
};

function decideForEvents(
  { trigger, cluster, generated }: MatchedTrigger,
  { source, object, report, dependencies }: FoundReport,
  context: DecisionContext,
): TriggerDecision {
  const { templates, random } = context;
  const find = (reference: HubReference) => findReference(reference, context.cache);
  const outcome = instantiate({ trigger, cluster, report, existing: generated, find }, { templates, random, cache: context.memory() });
  const versions = outcome.references.map((reference) => [dependencyKey(reference), versionOf(find(reference))] as const);
  return {
    changes: outcome.changes,
    isWaiting: outcome.waiting.length > 0,
    dependencies: [...dependencies, ...outcome.references.map(dependencyKey)],
    report: versionOf(object),
    result: {
      matching: true,
      work: {
        state: outcome.waiting.length > 0 ? "Provisioning" : "Provisioned",
        hash: valueHash([versionOf(trigger), versionOf(source), versions.toSorted(([a], [b]) => (a < b ? -1 : 1))]),
        troubles: outcome.problems.map(failureOf),
      },
    },
  };
}

/** Nothing is done: what is there stays. */
function hold(
  dependencies: readonly string[],
  { matching, note, troubles = [] }: { matching: boolean; note?: string; troubles?: readonly TriggerFailure[] },
): TriggerDecision {
  const isTold = matching || note !== undefined;
  const work = { state: "Provisioning", troubles, ...(note !== undefined && { note }) } as const;
  return { ...noChanges, dependencies, result: { matching, ...(isTold && { work }) } };
}

function withdrawal(
  { changes, waiting }: ReturnType<typeof withdrawTrigger>,
  made: readonly KubeObject[],
  dependencies: readonly string[],
  { matching, troubles }: { matching: boolean; troubles: readonly TriggerFailure[] },
): TriggerDecision {
  const isTold = made.length > 0 || troubles.length > 0;
  return {
    changes,
    isWaiting: waiting.length > 0,
    dependencies,
    result: { matching, ...(isTold && { work: { state: "Removing", troubles } }) },
  };
}

function failureOf(problem: EventProblem): TriggerFailure {
  const reason = /^referenced .* does not exist$/.test(problem.message) ? "MissingReference" : "TemplateFailed";
  return { reason, message: lineOfProblem(problem) };
}

function findReference({ kind, namespace, name }: HubReference, cache: SharedCache): KubeObject | undefined {
  if (kind === "ClusterProfile") return cache.find(gvkOf("ClusterProfile"), "", name);
  return cache.find(kind === "Secret" ? secretKind : configMapKind, namespace, name);
}

/** What tells an object from what it was before. A status does not count, where the kind counts generations. */
function versionOf(object: Pick<KubeObject, "metadata"> | undefined): string {
  const { uid = "", generation, resourceVersion = "" } = object?.metadata ?? {};
  return object === undefined ? "" : `${uid} ${generation ?? resourceVersion}`;
}

/** Objects never change, so what was read of one stays true. The same value each time keeps memories good. */
const readings = new WeakMap<KubeObject, ReadResult<EventTrigger>>();

export function readTrigger(object: KubeObject): ReadResult<EventTrigger> {
  const reading = readings.get(object) ?? readEventTrigger(object);
  readings.set(object, reading);
  return reading;
}

const reports = new WeakMap<KubeObject, EventReport | Fault>();

function reportOf(object: KubeObject): EventReport | Fault {
  const known = reports.get(object) ?? readingOf(object);
  reports.set(object, known);
  return known;
}

function readingOf(object: KubeObject): EventReport | Fault {
  try {
    return readEventReport(object);
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}
