import {
  eventSourceFor,
  instantiate,
  lineOfProblem,
  withdraw,
  type Change,
  type DraftMemory,
  type EventProblem,
  type EventTemplates,
  type Reference,
} from "../../instantiate/index.ts";
import { readReport, type EventReport } from "../../report/index.ts";
import {
  eventReportName,
  gvkOf,
  objectionTo,
  readEventSource,
  readEventTrigger,
  valueHash,
  type EventTrigger,
  type ManagedCluster,
  type Reading,
} from "../../api/index.ts";
import { Fault, lineFor } from "../../../core/fault/index.ts";
import { fieldsAt, type KubeObject } from "../../../core/object/index.ts";
import type { Copies } from "../context/index.ts";
import { configMapKind, secretKind } from "./holdings.ts";
import type { Entry, Trouble } from "./ledger.ts";
import { standingOf } from "./standing.ts";
import { topicOf } from "./topics.ts";

export type JudgeInput = {
  /** The trigger that counts; undefined when it is gone. */
  readonly trigger: KubeObject | undefined;
  /** Undefined when it is gone. */
  readonly cluster: ManagedCluster | undefined;
  /** All that was made for the two. */
  readonly made: readonly KubeObject[];
};

export type JudgeWorld = {
  readonly copies: Copies;
  readonly templates: EventTemplates;
  readonly random: () => number;
  /** The memory of the pair, made when it is needed. */
  readonly memory: () => DraftMemory;
};

/** What is to be done for one trigger and one cluster. */
export type Verdict = {
  readonly changes: readonly Change[];
  /** Something goes once profiles are gone or changed. */
  readonly isWaiting: boolean;
  /** The objects on which the verdict rests, beside the trigger, the cluster and what was made. */
  readonly topics: readonly string[];
  /** Left out where there is nothing new to tell. */
  readonly entry?: Omit<Entry, "cluster">;
  /** The report that was worked in, by what tells it from others. */
  readonly report?: string;
};

const nothing = { changes: [], isWaiting: false } as const;

/**
 * Decides by what the copies hold at this moment; waits for nothing. What was made is withdrawn only where it is certain
 * that nothing wants it: the trigger, the cluster or the EventSource is gone, or the cluster, being in order, does not match.
 */
export function judge(pair: Parameters<typeof withdraw>[1], label: string, input: JudgeInput, world: JudgeWorld): Verdict {
  const { trigger, cluster, made } = input;
  const leave = (
    topics: readonly string[] = [],
    rest: { matching: boolean; troubles: readonly Trouble[] } = { matching: false, troubles: [] },
  ) => withdrawal(withdraw(label, pair, made), made, topics, rest);
  if (trigger === undefined || trigger.metadata.deletionTimestamp !== undefined || cluster === undefined) return leave();
  const reading = readTrigger(trigger);
  // The trigger's own status says what is wrong with it.
  if (reading.state === "invalid" || reading.refused.length > 0) return { ...nothing, topics: [] };
  const standing = standingOf(reading.value, cluster, world.copies);
  if (standing.state === "strange") return leave();
  if (standing.state === "unclear") {
    const topics = standing.sets.map((name) => topicOf({ kind: "ClusterSet", name }));
    return hold(topics, { matching: false, ...(made.length > 0 && { note: standing.because }) });
  }
  const meant = eventSourceFor(reading.value, cluster, world.templates);
  if ("problem" in meant) return hold([], { matching: true, troubles: [{ reason: "TemplateFailed", message: lineFor(meant.problem) }] });
  return judgeSource({ trigger: reading.value, cluster, made, name: meant.name }, leave, world);
}

type Matched = {
  readonly trigger: EventTrigger;
  readonly cluster: ManagedCluster;
  readonly made: readonly KubeObject[];
  readonly name: string;
};
type Leave = (topics: readonly string[], rest: { matching: boolean; troubles: readonly Trouble[] }) => Verdict;

function judgeSource(matched: Matched, leave: Leave, world: JudgeWorld): Verdict {
  const { cluster, name } = matched;
  const source = world.copies.find(gvkOf("EventSource"), "", name);
  const reportRef = { kind: "EventReport", namespace: cluster.namespace, name: eventReportName(name, cluster) };
  const topics = [topicOf({ kind: "EventSource", name }), topicOf(reportRef)];
  if (source === undefined || source.metadata.deletionTimestamp !== undefined)
    return leave(topics, { matching: true, troubles: [{ reason: "EventSourceMissing", message: `EventSource ${name} does not exist` }] });
  const objection = objectionTo(readEventSource(source));
  if (objection !== undefined)
    return hold(topics, { matching: true, troubles: [{ reason: "EventSourceRefused", message: `EventSource ${name}: ${objection}` }] });
  const object = world.copies.find(gvkOf("EventReport"), reportRef.namespace, reportRef.name);
  if (object === undefined || object.metadata.deletionTimestamp !== undefined)
    return hold(topics, { matching: true, note: `there is no report on EventSource ${name} yet` });
  if (isEmptied(object)) return hold(topics, { matching: true, note: `somebody has emptied the report on EventSource ${name}` });
  const report = reportOf(object);
  if (report instanceof Fault)
    return hold(topics, {
      matching: true,
      troubles: [{ reason: "ReportUnreadable", message: `EventReport ${reportRef.name}: ${report.message}` }],
    });
  return judgeEvents(matched, { source, object, report: { eventSource: name, matches: report.matches }, topics }, world);
}

/** An evaluation that finds nothing leaves the list out. One that is there and empty is no finding, and is put right soon. */
function isEmptied(report: KubeObject): boolean {
  const { matchingResources } = fieldsAt(report, "spec");
  return Array.isArray(matchingResources) && matchingResources.length === 0;
}

type Found = {
  readonly source: KubeObject;
  readonly object: KubeObject;
  readonly report: Pick<EventReport, "eventSource" | "matches">;
  readonly topics: readonly string[];
};

function judgeEvents({ trigger, cluster, made }: Matched, { source, object, report, topics }: Found, world: JudgeWorld): Verdict {
  const { templates, random } = world;
  const find = (reference: Reference) => found(reference, world.copies);
  const outcome = instantiate({ trigger, cluster, report, existing: made, find }, { templates, random, memory: world.memory() });
  const versions = outcome.references.map((reference) => [topicOf(reference), versionOf(find(reference))] as const);
  return {
    changes: outcome.changes,
    isWaiting: outcome.waiting.length > 0,
    topics: [...topics, ...outcome.references.map(topicOf)],
    report: versionOf(object),
    entry: {
      matching: true,
      work: {
        state: outcome.waiting.length > 0 ? "Provisioning" : "Provisioned",
        hash: valueHash([versionOf(trigger), versionOf(source), versions.toSorted(([a], [b]) => (a < b ? -1 : 1))]),
        troubles: outcome.problems.map(troubleOf),
      },
    },
  };
}

/** Nothing is done: what is there stays. */
function hold(
  topics: readonly string[],
  { matching, note, troubles = [] }: { matching: boolean; note?: string; troubles?: readonly Trouble[] },
): Verdict {
  const isTold = matching || note !== undefined;
  const work = { state: "Provisioning", troubles, ...(note !== undefined && { note }) } as const;
  return { ...nothing, topics, entry: { matching, ...(isTold && { work }) } };
}

function withdrawal(
  { changes, waiting }: ReturnType<typeof withdraw>,
  made: readonly KubeObject[],
  topics: readonly string[],
  { matching, troubles }: { matching: boolean; troubles: readonly Trouble[] },
): Verdict {
  const isTold = made.length > 0 || troubles.length > 0;
  return { changes, isWaiting: waiting.length > 0, topics, entry: { matching, ...(isTold && { work: { state: "Removing", troubles } }) } };
}

function troubleOf(problem: EventProblem): Trouble {
  const reason = /^referenced .* does not exist$/.test(problem.message) ? "MissingReference" : "TemplateFailed";
  return { reason, message: lineOfProblem(problem) };
}

function found({ kind, namespace, name }: Reference, copies: Copies): KubeObject | undefined {
  if (kind === "ClusterProfile") return copies.find(gvkOf("ClusterProfile"), "", name);
  return copies.find(kind === "Secret" ? secretKind : configMapKind, namespace, name);
}

/** What tells an object from what it was before. A status does not count, where the kind counts generations. */
function versionOf(object: Pick<KubeObject, "metadata"> | undefined): string {
  const { uid = "", generation, resourceVersion = "" } = object?.metadata ?? {};
  return object === undefined ? "" : `${uid} ${generation ?? resourceVersion}`;
}

/** Objects never change, so what was read of one stays true. The same value each time keeps memories good. */
const readings = new WeakMap<KubeObject, Reading<EventTrigger>>();

export function readTrigger(object: KubeObject): Reading<EventTrigger> {
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
    return readReport(object);
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}
