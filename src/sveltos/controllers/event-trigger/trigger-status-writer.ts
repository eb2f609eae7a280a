import { conditionsAfter, gvkOf, failureMessageOf } from "../../api/index.ts";
import { clusterKey } from "../../fleet/index.ts";
import { sourceProblemsIn, type SourceProblems } from "../../report/index.ts";
import { equal, listAt, type Condition, type KubeObject } from "../../../core/object/index.ts";
import { logDenial, recordConditions, tenantOf, type ControllerContext } from "../context/index.ts";
import { matchCluster } from "./cluster-match.ts";
import { triggerConditions } from "./trigger-conditions.ts";
import { failureMessagesOf, type GeneratedIndex } from "./generated-index.ts";
import { readTrigger } from "./decide-trigger.ts";
import type { ClusterResult, ClusterResults, TriggerFailure } from "./cluster-results.ts";
import { pairOf } from "./trigger-cluster-pair.ts";
import { patchIfUnchanged } from "./patch-if-unchanged.ts";
import { writtenStatusOf, triggerStatusOf, type ClusterFailure, type TriggerStatusInput } from "./trigger-status.ts";

/** How many failures of one status become Events. */
const maxEvents = 5;

/** Writes the statuses of triggers, and records an Event for every new failure in them. */
export class TriggerStatusWriter {
  readonly #context: ControllerContext;
  readonly #generatedIndex: GeneratedIndex;
  readonly #results: ClusterResults;
  /** The failures that were recorded for each trigger, by its uid. */
  readonly #recorded = new Map<string, ReadonlySet<string>>();

  /** What was logged as denied for each trigger, by its uid. */
  readonly #denied = new Map<string, ReadonlySet<string>>();

  constructor(context: ControllerContext, generatedIndex: GeneratedIndex, results: ClusterResults) {
    this.#context = context;
    this.#generatedIndex = generatedIndex;
    this.#results = results;
  }

  /** False on a conflict. */
  async write(label: string, signal: AbortSignal): Promise<boolean> {
    const [first, ...others] = this.#generatedIndex.triggersNamed(label);
    if (first === undefined) return true;
    const conflicting = others.map((trigger) =>
      this.#write(
        trigger,
        {
          objection: nameConflictWith(first),
          results: new Map(),
          deploymentOf: noDeployment,
          conditions: () => conditionsAfter(trigger, [], 0),
        },
        signal,
      ),
    );
    const done = await Promise.all([this.#write(first, this.#inputFor(label, first), signal), ...conflicting]);
    return done.every(Boolean);
  }

  #inputFor(label: string, trigger: KubeObject): TriggerStatusInput {
    const objection = this.#objectionTo(trigger);
    const results = this.#results.ofTrigger(label);
    const deploymentOf = (result: ClusterResult) => {
      const pair = pairOf(label, result.cluster);
      return {
        failures: [...this.#generatedIndex.failedFor(pair).flatMap(triggerFailuresOf), ...this.#sourceFailures(result)],
        isProgressing: this.#generatedIndex.isProgressing(pair),
      };
    };
    return { objection, results, deploymentOf, conditions: (isMatching) => this.#conditionsOf(label, trigger, results, isMatching) };
  }

  #conditionsOf(
    label: string,
    object: KubeObject,
    results: ReadonlyMap<string, ClusterResult>,
    isMatching: boolean,
  ): readonly Condition[] | null {
    const { cache, fleet, hub } = this.#context;
    const reading = readTrigger(object);
    if (reading.state === "invalid" || reading.refused.length > 0) return conditionsAfter(object, [], 0);
    const trigger = reading.value;
    const clusters = () => fleet.managedClusters();
    const all = [...results.values()];
    const profileWith = (type: "NoMatchingCluster" | "WithdrawalBlocked") =>
      all.map(({ cluster }) => this.#generatedIndex.profileWith(type, pairOf(label, cluster))).find((found) => found !== undefined);
    const holding = triggerConditions({
      trigger,
      // Clusters that were not looked at yet may match.
      isMatching: isMatching || clusters().some((cluster) => matchCluster(trigger, cluster, cache).state === "matches"),
      sets: trigger.clusterSetRefs.flatMap((name) => cache.find(gvkOf("ClusterSet"), "", name) ?? []),
      clusters,
      problems: all.flatMap((result) => this.#sourceProblems(result) ?? []),
      eventSources: [...new Set(all.flatMap(({ eventSource }) => eventSource ?? []))].toSorted(),
      unmatched: profileWith("NoMatchingCluster"),
      blocked: profileWith("WithdrawalBlocked"),
    });
    return conditionsAfter(object, holding, hub.clock.now());
  }

  /** What the EventSource of a trigger reports about a cluster. */
  #sourceProblems({ eventSource, cluster }: ClusterResult): SourceProblems | undefined {
    if (eventSource === undefined) return undefined;
    const source = this.#context.cache.find(gvkOf("EventSource"), "", eventSource);
    return source && problemsByCluster(source).get(clusterKey(cluster));
  }

  /** Events may be missing while the EventSource of a trigger cannot be evaluated. */
  #sourceFailures(result: ClusterResult): readonly TriggerFailure[] {
    const [first, ...others] = this.#sourceProblems(result)?.failures ?? [];
    if (first === undefined) return [];
    const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
    return [{ reason: "EventSourceFailing", message: `EventSource ${result.eventSource ?? ""}: ${first}${more}` }];
  }

  #objectionTo(trigger: KubeObject): TriggerFailure | undefined {
    const reading = readTrigger(trigger);
    const author = tenantOf(trigger, this.#context);
    const message = failureMessageOf(reading) ?? (author.state === "refused" ? `nothing is deployed: ${author.because}` : undefined);
    if (message !== undefined) return { reason: "Refused", message };
    if (reading.state === "invalid") return undefined;
    const missing = reading.value.clusterSetRefs.filter((name) => this.#context.cache.find(gvkOf("ClusterSet"), "", name) === undefined);
    return missing.length === 0 ? undefined : { reason: "ClusterSetMissing", message: `ClusterSet ${missing.join(", ")} does not exist` };
  }

  async #write(trigger: KubeObject, input: TriggerStatusInput, signal: AbortSignal): Promise<boolean> {
    const { patch, failures } = triggerStatusOf(trigger, input);
    const all = input.objection === undefined ? failures : [input.objection, ...failures];
    this.#recordFailures(trigger, all);
    this.#logDenials(trigger, all);
    if (equal(patch, writtenStatusOf(trigger))) return true;
    const isWritten = await patchIfUnchanged(trigger, { status: patch }, this.#context, { subresource: "status", signal });
    if (isWritten) recordConditions(trigger, patch.conditions, this.#context);
    return isWritten;
  }

  #recordFailures(trigger: KubeObject, failures: readonly TriggerFailure[]): void {
    const { uid = "" } = trigger.metadata;
    const before = this.#recorded.get(uid) ?? new Set();
    const current = new Map(failures.map((failure) => [`${failure.reason} ${failure.message}`, failure]));
    if (current.size === 0) this.#recorded.delete(uid);
    else this.#recorded.set(uid, new Set(current.keys()));
    const added = [...current].filter(([text]) => !before.has(text)).map(([, failure]) => failure);
    const { telemetry } = this.#context;
    for (const { reason } of added) telemetry.count("sluice_trigger_failures_total", { trigger: trigger.metadata.name, reason });
    for (const { reason, message } of added.slice(0, maxEvents)) telemetry.recordEvent(trigger, { type: "Warning", reason, message });
  }

  /** What is denied in a cluster is news once. */
  #logDenials(trigger: KubeObject, failures: readonly (TriggerFailure | ClusterFailure)[]): void {
    if (tenantOf(trigger, this.#context).state === "platform") return;
    const { uid = "" } = trigger.metadata;
    const before = this.#denied.get(uid) ?? new Set();
    const current = new Set<string>();
    for (const failure of failures.filter(({ reason }) => denials.has(reason))) {
      const cluster = "cluster" in failure ? clusterKey(failure.cluster) : undefined;
      const text = `${cluster ?? ""} ${failure.message}`;
      if (!before.has(text) && !current.has(text)) logDenial(trigger, cluster, failure.message, this.#context);
      current.add(text);
    }
    if (current.size === 0) this.#denied.delete(uid);
    else this.#denied.set(uid, current);
  }
}

/** The failures by which something is denied to a tenant. */
const denials: ReadonlySet<string> = new Set(["Refused", "EventSourceRefused", "Denied"]);

/** Objects are immutable, so each status is read once for all clusters. */
const readProblems = new WeakMap<KubeObject, ReadonlyMap<string, SourceProblems>>();

function problemsByCluster(source: KubeObject): ReadonlyMap<string, SourceProblems> {
  const problems =
    readProblems.get(source) ??
    new Map(sourceProblemsIn(listAt(source, "status.clusterInfo")).map((each) => [clusterKey(each.cluster), each]));
  readProblems.set(source, problems);
  return problems;
}

function noDeployment() {
  return { failures: [], isProgressing: false };
}

function nameConflictWith({ kind, metadata: { name } }: KubeObject): TriggerFailure {
  const message = `${kind} ${name} has the name already, and what the two make could not be told apart: nothing is deployed for this one`;
  return { reason: "Refused", message };
}

function triggerFailuresOf(object: KubeObject): readonly TriggerFailure[] {
  const { kind, metadata } = object;
  return failureMessagesOf(object).map((message) => ({ reason: "DeployFailed", message: `${kind} ${metadata.name}: ${message}` }));
}
