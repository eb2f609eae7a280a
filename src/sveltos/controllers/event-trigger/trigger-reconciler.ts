import { InstantiationCache, type TextRenderer } from "../../instantiate/index.ts";
import { clusterKey, type FleetCluster, type FleetEvent } from "../../fleet/index.ts";
import { Fault } from "../../../core/fault/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import { reconciled, runControlLoop, WorkQueue, type ReconcileResult } from "../../../reconcile/index.ts";
import type { ControllerContext } from "../context/index.ts";
import { ClusterResults, type ClusterResult } from "./cluster-results.ts";
import { decideTrigger, type TriggerDecision } from "./decide-trigger.ts";
import { decideForTenant } from "./tenant-references.ts";
import { DependencyIndex } from "./dependency-index.ts";
import { Expectations } from "./expectations.ts";
import { GeneratedIndex, triggerKinds } from "./generated-index.ts";
import { reconcileFinalizers } from "./reconcile-finalizers.ts";
import { clusterAsInLabels, pairOf, type TriggerClusterPair } from "./trigger-cluster-pair.ts";
import { triggerIdentity, triggerLaneOf, type PairKey, type TriggerKey } from "./trigger-key.ts";
import { TriggerTemplates } from "./trigger-templates.ts";
import { TriggerStatusWriter } from "./trigger-status-writer.ts";
import { TriggerWatches } from "./trigger-watches.ts";
import { writeGenerated } from "./write-generated.ts";

/** The delay of a status write without failures: about one status a second for each trigger. */
const statusDelayMs = 1000;
/** The delay after a conflict: by then the cache has what caused it. */
const requeueAfterMs = 200;

/** Reconciles triggers: for each cluster what they generate, their finalizers and their statuses. */
export class TriggerReconciler {
  readonly #context: ControllerContext;
  readonly #queue: WorkQueue<TriggerKey>;
  readonly #generatedIndex: GeneratedIndex;
  readonly #dependencies = new DependencyIndex();
  readonly #expectations = new Expectations();
  readonly #results = new ClusterResults();
  readonly #templates: TriggerTemplates;
  readonly #statuses: TriggerStatusWriter;
  /** By the identity of a pair's key. */
  readonly #caches = new Map<string, InstantiationCache>();
  /** When the status of each trigger was last written. */
  readonly #statusAt = new Map<string, number>();
  /** The version of the EventReport that was last instantiated, by the identity of a pair's key. */
  readonly #reports = new Map<string, string>();
  /** The fleet's keys of clusters whose name is too long for a label, by their key with the shortened name. */
  readonly #longNamed = new Map<string, string>();

  constructor(context: ControllerContext) {
    const { hub, telemetry } = context;
    this.#context = context;
    this.#queue = new WorkQueue<TriggerKey>({
      clock: hub.clock,
      random: hub.random,
      onRecovery: hub.onRecovery,
      identity: triggerIdentity,
      laneOf: triggerLaneOf,
      report: telemetry.failureReporter("triggers"),
    });
    telemetry.watchQueue("triggers", this.#queue);
    this.#generatedIndex = new GeneratedIndex(context.cache);
    this.#templates = new TriggerTemplates(context, (key) => this.#queue.add(key));
    this.#statuses = new TriggerStatusWriter(context, this.#generatedIndex, this.#results);
  }

  run(signal: AbortSignal): Promise<void> {
    const watches = new TriggerWatches(this.#context, this.#dependencies, this.#expectations, (trigger, isUrgent) =>
      this.#enqueueStatus(trigger, isUrgent),
    );
    return runControlLoop(watches.sources(), this.#queue, (key, each) => this.#reconcile(key, each), signal);
  }

  /** Enqueues a changed cluster for every trigger, since any of them may match it now or no longer. */
  enqueueCluster(event: Exclude<FleetEvent, { type: "synced" }>): void {
    if (event.type === "ready" || event.type === "lost") return;
    const { managed, key } = event.cluster;
    const known = clusterKey(clusterAsInLabels(managed));
    if (known !== key) this.#longNamed.set(known, key);
    for (const kind of triggerKinds)
      for (const { metadata } of this.#context.cache.all(kind)) this.#queue.add({ type: "pair", pair: pairOf(metadata.name, managed) });
  }

  /** An urgent status is written at once, but not within a second of the last: a thousand failures must not be a thousand writes. */
  #enqueueStatus(trigger: string, isUrgent: boolean): void {
    const key = { type: "status", trigger } as const;
    const waitMs = (this.#statusAt.get(trigger) ?? 0) + statusDelayMs - this.#context.hub.clock.now();
    if (isUrgent && waitMs <= 0) this.#queue.add(key);
    else this.#queue.addAfter(key, isUrgent ? waitMs : statusDelayMs);
  }

  async #reconcile(key: TriggerKey, signal: AbortSignal): Promise<ReconcileResult> {
    if (key.type === "pair") return this.#reconcilePair(key, signal);
    return key.type === "status" ? this.#writeStatus(key.trigger, signal) : this.#reconcileTrigger(key.trigger, signal);
  }

  async #writeStatus(trigger: string, signal: AbortSignal): Promise<ReconcileResult> {
    this.#statusAt.set(trigger, this.#context.hub.clock.now());
    return (await this.#statuses.write(trigger, signal)) ? reconciled : { settled: false, requeueAfterMs };
  }

  async #reconcileTrigger(label: string, signal: AbortSignal): Promise<ReconcileResult> {
    const triggers = this.#generatedIndex.triggersNamed(label);
    if (triggers.length === 0) this.#forget(label);
    else this.#enqueueStatus(label, triggers.length > 1);
    return (await reconcileFinalizers(triggers, this.#generatedIndex.hasGenerated(label), this.#context, signal))
      ? reconciled
      : { settled: false, requeueAfterMs };
  }

  async #reconcilePair(key: PairKey, signal: AbortSignal): Promise<ReconcileResult> {
    const { pair } = key;
    const found = this.#clusterOf(pair);
    const trigger = this.#generatedIndex.triggersNamed(pair.trigger)[0];
    const { decision, denials } = await decideForTenant(
      trigger,
      (mayRead) => this.#templates.decide(key, trigger, (templates) => this.#decide(key, trigger, found, templates, mayRead), signal),
      this.#context,
      signal,
    );
    this.#dependencies.set(key, decision.dependencies);
    const { type, namespace, name } = found?.managed ?? pair.cluster;
    const result = decision.result && { ...decision.result, cluster: { type, namespace, name } };
    this.#countEvent(key, decision);
    if (decision.changes.length === 0) {
      this.#record(pair, result, trigger);
      // What is granted in the management cluster is not watched: it is asked again.
      if (denials.length > 0) throw new Fault(denials.join("\n"));
      return this.#templates.resultOf(key);
    }
    const written = await writeGenerated(decision.changes, { ...this.#context, expectations: this.#expectations }, signal);
    this.#record(pair, result !== undefined && "fault" in written ? withFault(result, written.fault) : result, trigger);
    if ("fault" in written) throw written.fault;
    // What the profiles referred to before can be deleted now; or all is deleted, and the status does not say so yet.
    if ((decision.isWaiting && written.changedProfiles) || result?.work?.state === "Removing") this.#queue.add(key);
    return written.requeue ? { settled: false, requeueAfterMs } : this.#templates.resultOf(key);
  }

  #decide(
    key: PairKey,
    trigger: KubeObject | undefined,
    found: FleetCluster | undefined,
    templates: TextRenderer,
    mayRead?: Parameters<typeof decideTrigger>[3]["mayRead"],
  ): TriggerDecision {
    const { pair } = key;
    const id = triggerIdentity(key);
    const generated = this.#generatedIndex.generatedFor(pair);
    const { cache, hub } = this.#context;
    let isInstantiated = false;
    const instantiationCache = (): InstantiationCache => {
      isInstantiated = true;
      const known = this.#caches.get(id) ?? new InstantiationCache();
      this.#caches.set(id, known);
      return known;
    };
    const context = {
      cache,
      templates,
      random: hub.random,
      // What is not found for want of a right must not be kept.
      instantiationCache: mayRead === undefined ? instantiationCache : () => new InstantiationCache(),
      ...(mayRead !== undefined && { mayRead }),
    };
    const decision = decideTrigger(pair.cluster, pair.trigger, { trigger, cluster: found?.managed, generated }, context);
    if (!isInstantiated) this.#caches.delete(id);
    return decision;
  }

  #record(pair: TriggerClusterPair, result: ClusterResult | undefined, trigger: KubeObject | undefined): void {
    if (trigger === undefined || result === undefined) return;
    if (this.#results.record(pair, result)) this.#enqueueStatus(pair.trigger, (result.work?.failures.length ?? 0) > 0);
  }

  #countEvent(key: PairKey, { report }: TriggerDecision): void {
    const id = triggerIdentity(key);
    const before = this.#reports.get(id);
    if (report === undefined) this.#reports.delete(id);
    else this.#reports.set(id, report);
    if (report !== undefined && report !== before) this.#context.telemetry.count("sluice_events_total", { trigger: key.pair.trigger });
  }

  #forget(trigger: string): void {
    this.#results.forget(trigger);
    this.#statusAt.delete(trigger);
  }

  #clusterOf({ cluster }: TriggerClusterPair): FleetCluster | undefined {
    const key = clusterKey(cluster);
    // Without this check, labels without a cluster name would look like those of a deleted cluster.
    if (cluster.name === "") throw new Fault(`${key} names no cluster`, undefined, { final: true });
    return this.#context.fleet.find(this.#longNamed.get(key) ?? key);
  }
}

function withFault(result: ClusterResult, fault: unknown): ClusterResult {
  const failure = { reason: "WriteFailed", message: fault instanceof Error ? fault.message : String(fault) };
  const work = result.work ?? { state: "Provisioning", failures: [] };
  return { ...result, work: { ...work, failures: [...work.failures, failure] } };
}
