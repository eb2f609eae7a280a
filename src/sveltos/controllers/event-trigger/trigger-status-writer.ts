import { gvkOf, failureMessageOf } from "../../api/index.ts";
import { equal, type KubeObject } from "../../../core/object/index.ts";
import type { ControllerContext } from "../context/index.ts";
import { failureMessagesOf, type GeneratedIndex } from "./generated-index.ts";
import { readTrigger } from "./decide-trigger.ts";
import type { ClusterResult, ClusterResults, TriggerFailure } from "./cluster-results.ts";
import { pairOf } from "./trigger-cluster-pair.ts";
import { patchIfUnchanged } from "./patch-if-unchanged.ts";
import { writtenStatusOf, triggerStatusOf, type TriggerStatusInput } from "./trigger-status.ts";

/** How many troubles of one look become Events: nobody reads the same of a hundred objects. */
const maxEvents = 5;

/** Writes the statuses of triggers, and tells the chronicle of every trouble that is new in them. */
export class TriggerStatusWriter {
  readonly #desk: ControllerContext;
  readonly #holdings: GeneratedIndex;
  readonly #ledger: ClusterResults;
  /** The troubles that each trigger has been said to have, by its uid. */
  readonly #said = new Map<string, ReadonlySet<string>>();

  constructor(context: ControllerContext, generatedIndex: GeneratedIndex, results: ClusterResults) {
    this.#desk = context;
    this.#holdings = generatedIndex;
    this.#ledger = results;
  }

  /** False when somebody else has changed the trigger meanwhile. */
  async write(label: string, signal: AbortSignal): Promise<boolean> {
    const [first, ...others] = this.#holdings.triggersNamed(label);
    if (first === undefined) return true;
    const rivals = others.map((trigger) =>
      this.#put(trigger, { objection: nameConflictWith(first), results: new Map(), deploymentOf: noDeployment }, signal),
    );
    const done = await Promise.all([this.#put(first, this.#inputFor(label, first), signal), ...rivals]);
    return done.every(Boolean);
  }

  #inputFor(label: string, trigger: KubeObject): TriggerStatusInput {
    const objection = this.#objectionTo(trigger);
    const deploymentOf = (entry: ClusterResult) => {
      const pair = pairOf(label, entry.cluster);
      return { troubles: this.#holdings.failedFor(pair).flatMap(triggerFailuresOf), isBusy: this.#holdings.isProgressing(pair) };
    };
    return { objection, results: this.#ledger.ofTrigger(label), deploymentOf };
  }

  #objectionTo(trigger: KubeObject): TriggerFailure | undefined {
    const reading = readTrigger(trigger);
    const message = failureMessageOf(reading);
    if (message !== undefined) return { reason: "Refused", message };
    if (reading.state === "invalid") return undefined;
    const missing = reading.value.clusterSetRefs.filter((name) => this.#desk.cache.find(gvkOf("ClusterSet"), "", name) === undefined);
    return missing.length === 0 ? undefined : { reason: "ClusterSetMissing", message: `ClusterSet ${missing.join(", ")} does not exist` };
  }

  async #put(trigger: KubeObject, input: TriggerStatusInput, signal: AbortSignal): Promise<boolean> {
    const { patch, troubles } = triggerStatusOf(trigger, input);
    this.#say(trigger, input.objection === undefined ? troubles : [input.objection, ...troubles]);
    if (equal(patch, writtenStatusOf(trigger))) return true;
    return patchIfUnchanged(trigger, { status: patch }, this.#desk, { subresource: "status", signal });
  }

  #say(trigger: KubeObject, troubles: readonly TriggerFailure[]): void {
    const { uid = "" } = trigger.metadata;
    const before = this.#said.get(uid) ?? new Set();
    const fresh = new Map(troubles.map((trouble) => [`${trouble.reason} ${trouble.message}`, trouble]));
    if (fresh.size === 0) this.#said.delete(uid);
    else this.#said.set(uid, new Set(fresh.keys()));
    const news = [...fresh].filter(([text]) => !before.has(text)).map(([, trouble]) => trouble);
    const { telemetry } = this.#desk;
    for (const { reason } of news) telemetry.count("sluice_trigger_failures_total", { trigger: trigger.metadata.name, reason });
    for (const { reason, message } of news.slice(0, maxEvents)) telemetry.recordEvent(trigger, { type: "Warning", reason, message });
  }
}

function noDeployment() {
  return { troubles: [], isBusy: false };
}

function nameConflictWith({ kind, metadata: { name } }: KubeObject): TriggerFailure {
  const message = `${kind} ${name} has the name already, and what the two make could not be told apart: nothing is deployed for this one`;
  return { reason: "Refused", message };
}

function triggerFailuresOf(object: KubeObject): readonly TriggerFailure[] {
  const { kind, metadata } = object;
  return failureMessagesOf(object).map((message) => ({ reason: "DeployFailed", message: `${kind} ${metadata.name}: ${message}` }));
}
