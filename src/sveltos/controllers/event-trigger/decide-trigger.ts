import {
  eventSourceFor,
  instantiate,
  lineOfProblem,
  withdrawTrigger,
  type DesiredChange,
  type InstantiationCache,
  type EventProblem,
  type HubReference,
  type TextRenderer,
} from "../../instantiate/index.ts";
import { readWholeReport, type EventReport, type WholeReport } from "../../report/index.ts";
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
import type { KubeObject } from "../../../core/object/index.ts";
import { isSameTenant, tenantText } from "../../tenant/index.ts";
import { configMapKind, secretKind, tenantOf, type SharedCache } from "../context/index.ts";
import type { ClusterResult, TriggerFailure } from "./cluster-results.ts";
import { matchCluster } from "./cluster-match.ts";
import { dependencyKey } from "./dependency-index.ts";

type DecisionInput = {
  /** The trigger; undefined when it is gone. */
  readonly trigger: KubeObject | undefined;
  /** Undefined when it is gone. */
  readonly cluster: ManagedCluster | undefined;
  /** All objects that were generated for the two. */
  readonly generated: readonly KubeObject[];
};

type DecisionContext = {
  readonly cache: SharedCache;
  readonly templates: TextRenderer;
  readonly random: () => number;
  /** What a tenant may not read is not found; absent: everything may be read. */
  readonly mayRead?: (reference: HubReference, object: KubeObject | undefined) => boolean;
  /** The cache of the pair, created on first use. */
  readonly instantiationCache: () => InstantiationCache;
};

/** What is to be done for one trigger and one cluster. */
export type TriggerDecision = {
  readonly changes: readonly DesiredChange[];
  /** Some objects can be deleted only after profiles are deleted or changed. */
  readonly isWaiting: boolean;
  /** The objects that were read, besides the trigger, the cluster and the generated objects. */
  readonly dependencies: readonly string[];
  /** Left out when the status stays as it is. */
  readonly result?: Omit<ClusterResult, "cluster">;
  /** The version of the EventReport that was instantiated. */
  readonly report?: string;
  /** Templates are rendered elsewhere: to be decided again when they are. */
  readonly isPending?: boolean;
};

const noChanges = { changes: [], isWaiting: false } as const;

/**
 * Decides what to write for one trigger and one cluster, from the cache alone. Generated objects are withdrawn only when
 * the trigger, the cluster or the EventSource is gone, or when a working cluster does not match.
 */
export function decideTrigger(
  pair: Parameters<typeof withdrawTrigger>[1],
  label: string,
  input: DecisionInput,
  context: DecisionContext,
): TriggerDecision {
  const { trigger, cluster, generated } = input;
  const withdraw = (
    dependencies: readonly string[] = [],
    rest: { matching: boolean; failures: readonly TriggerFailure[] } = { matching: false, failures: [] },
  ) => withdrawal(withdrawTrigger(label, pair, generated), generated, dependencies, rest);
  if (trigger === undefined || trigger.metadata.deletionTimestamp !== undefined || cluster === undefined) return withdraw();
  const reading = readTrigger(trigger);
  // The status writer reports what is wrong with the trigger itself.
  const isRefused = tenantOf(trigger, context).state === "refused";
  if (reading.state === "invalid" || reading.refused.length > 0 || isRefused) return { ...noChanges, dependencies: [] };
  const match = matchCluster(reading.value, cluster, context.cache);
  if (match.state === "unmatched") return withdraw();
  if (match.state === "undecided") {
    const dependencies = match.sets.map((name) => dependencyKey({ kind: "ClusterSet", name }));
    return hold(dependencies, { matching: false, ...(generated.length > 0 && { note: match.because }) });
  }
  const source = eventSourceFor(reading.value, cluster, context.templates);
  if ("isPending" in source) return { ...hold([], { matching: true, note: "spec.eventSourceName is being rendered" }), isPending: true };
  if ("problem" in source) return hold([], { matching: true, failures: [{ reason: "TemplateFailed", message: lineFor(source.problem) }] });
  const decision = decideForSource({ trigger: reading.value, cluster, generated, name: source.name }, withdraw, context);
  return decision.result === undefined ? decision : { ...decision, result: { ...decision.result, eventSource: source.name } };
}

type MatchedTrigger = {
  readonly trigger: EventTrigger;
  readonly cluster: ManagedCluster;
  readonly generated: readonly KubeObject[];
  readonly name: string;
};
type Withdraw = (dependencies: readonly string[], rest: { matching: boolean; failures: readonly TriggerFailure[] }) => TriggerDecision;

function decideForSource(matched: MatchedTrigger, withdraw: Withdraw, context: DecisionContext): TriggerDecision {
  const { cluster, name } = matched;
  const source = context.cache.find(gvkOf("EventSource"), "", name);
  const reportRef = { kind: "EventReport", namespace: cluster.namespace, name: eventReportName(name, cluster) };
  const dependencies = [dependencyKey({ kind: "EventSource", name }), dependencyKey(reportRef)];
  if (source === undefined || source.metadata.deletionTimestamp !== undefined)
    return withdraw(dependencies, {
      matching: true,
      failures: [{ reason: "EventSourceMissing", message: `EventSource ${name} does not exist` }],
    });
  const objection = failureMessageOf(readEventSource(source)) ?? tenantObjection(matched.trigger, source, context);
  if (objection !== undefined)
    return hold(dependencies, {
      matching: true,
      failures: [{ reason: "EventSourceRefused", message: `EventSource ${name}: ${objection}` }],
    });
  const object = context.cache.find(gvkOf("EventReport"), reportRef.namespace, reportRef.name);
  if (object === undefined || object.metadata.deletionTimestamp !== undefined)
    return hold(dependencies, { matching: true, note: `there is no report on EventSource ${name} yet` });
  const report = reportOf(object, (part) => context.cache.find(gvkOf("EventReport"), reportRef.namespace, part));
  if (report instanceof Fault)
    return hold(dependencies, {
      matching: true,
      failures: [{ reason: "ReportUnreadable", message: `EventReport ${reportRef.name}: ${report.message}` }],
    });
  if ("missing" in report)
    return hold(dependencies, {
      matching: true,
      note:
        report.missing === reportRef.name
          ? `somebody has emptied the report on EventSource ${name}`
          : `EventReport ${report.missing}, a part of the report on EventSource ${name}, is missing or empty`,
    });
  return decideForEvents(
    matched,
    { source, parts: report.parts, report: { eventSource: name, matches: report.matches }, dependencies },
    context,
  );
}

/** A tenant sees only what its own EventSources have found. The platform may use those of everybody. */
function tenantObjection(trigger: EventTrigger, source: KubeObject, context: DecisionContext): string | undefined {
  const [user, author] = [tenantOf(trigger, context), tenantOf(source, context)];
  if (author.state === "refused") return author.because;
  if (user.state !== "tenant" || (author.state === "tenant" && isSameTenant(user.tenant, author.tenant))) return undefined;
  const whose = author.state === "tenant" ? tenantText(author.tenant) : "those who run the platform";
  return `it is of ${whose}, and the trigger of ${tenantText(user.tenant)}: a tenant can use its own EventSources only`;
}

type FoundReport = {
  readonly source: KubeObject;
  /** The EventReport and its parts. */
  readonly parts: readonly KubeObject[];
  readonly report: Pick<EventReport, "eventSource" | "matches">;
  readonly dependencies: readonly string[];
};

function decideForEvents(
  { trigger, cluster, generated }: MatchedTrigger,
  { source, parts, report, dependencies }: FoundReport,
  context: DecisionContext,
): TriggerDecision {
  const { templates, random } = context;
  const find = (reference: HubReference) => {
    const found = findReference(reference, context.cache);
    return context.mayRead === undefined || context.mayRead(reference, found) ? found : undefined;
  };
  const outcome = instantiate(
    { trigger, cluster, report, existing: generated, find },
    { templates, random, cache: context.instantiationCache() },
  );
  const versions = outcome.references.map((reference) => [dependencyKey(reference), versionOf(find(reference))] as const);
  return {
    changes: outcome.changes,
    isPending: outcome.isPending,
    isWaiting: outcome.waiting.length > 0,
    dependencies: [...dependencies, ...outcome.references.map(dependencyKey)],
    report: parts.map(versionOf).join(),
    result: {
      matching: true,
      work: {
        state: outcome.waiting.length > 0 || outcome.isPending ? "Provisioning" : "Provisioned",
        hash: valueHash([versionOf(trigger), versionOf(source), versions.toSorted(([a], [b]) => (a < b ? -1 : 1))]),
        failures: outcome.problems.map(failureOf),
      },
    },
  };
}

/** The same when the trigger of a tenant refers to what the tenant may not read. */
export function denyTrigger({ dependencies, result }: TriggerDecision, denials: readonly string[]): TriggerDecision {
  const failures = denials.map((message) => ({ reason: "Denied", message }));
  const denied = hold(dependencies, { matching: true, failures });
  return { ...denied, result: { ...result, ...denied.result, matching: true } };
}

/** Leaves the generated objects as they are. */
function hold(
  dependencies: readonly string[],
  { matching, note, failures = [] }: { matching: boolean; note?: string; failures?: readonly TriggerFailure[] },
): TriggerDecision {
  const hasWork = matching || note !== undefined;
  const work = { state: "Provisioning", failures, ...(note !== undefined && { note }) } as const;
  return { ...noChanges, dependencies, result: { matching, ...(hasWork && { work }) } };
}

function withdrawal(
  { changes, waiting }: ReturnType<typeof withdrawTrigger>,
  generated: readonly KubeObject[],
  dependencies: readonly string[],
  { matching, failures }: { matching: boolean; failures: readonly TriggerFailure[] },
): TriggerDecision {
  const hasWork = generated.length > 0 || failures.length > 0;
  return {
    changes,
    isWaiting: waiting.length > 0,
    dependencies,
    result: { matching, ...(hasWork && { work: { state: "Removing", failures } }) },
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

/** Changes with the spec of an object, but not with its status where the kind has generations. */
function versionOf(object: Pick<KubeObject, "metadata"> | undefined): string {
  const { uid = "", generation, resourceVersion = "" } = object?.metadata ?? {};
  return object === undefined ? "" : `${uid} ${generation ?? resourceVersion}`;
}

/** Objects are immutable, so each is read once. The instantiation cache relies on getting the same value each time. */
const readings = new WeakMap<KubeObject, ReadResult<EventTrigger>>();

export function readTrigger(object: KubeObject): ReadResult<EventTrigger> {
  const reading = readings.get(object) ?? readEventTrigger(object);
  readings.set(object, reading);
  return reading;
}

function reportOf(object: KubeObject, find: (name: string) => KubeObject | undefined): WholeReport | Fault {
  try {
    return readWholeReport(object, find);
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}
