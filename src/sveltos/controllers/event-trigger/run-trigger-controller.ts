import { InstantiationCache, EventTemplates } from "../../instantiate/index.ts";
import { clusterKey, type FleetCluster, type FleetEvent } from "../../fleet/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import { runControlLoop, reconciled, WorkQueue, type ReconcileResult } from "../../../reconcile/index.ts";
import type { ControllerContext } from "../context/index.ts";
import { TriggerWatches } from "./trigger-watches.ts";
import { Expectations } from "./expectations.ts";
import { GeneratedIndex, triggerKinds } from "./generated-index.ts";
import { decideTrigger, type TriggerDecision } from "./decide-trigger.ts";
import { ClusterResults, type ClusterResult } from "./cluster-results.ts";
import { clusterAsInLabels, pairOfKey, pairKey, pairOf, type TriggerClusterPair } from "./trigger-cluster-pair.ts";
import { writeGenerated } from "./write-generated.ts";
import { DependencyIndex } from "./dependency-index.ts";
import { reconcileFinalizers } from "./reconcile-finalizers.ts";
import { TriggerStatusWriter } from "./trigger-status-writer.ts";

/** How long what goes well may wait to be told: at most about one status a second for each trigger. */
const statusDelayMs = 1000;
/** Until the copies show what somebody else has done. */
const requeueAfterMs = 200;

/** Keeps what triggers make until the signal aborts. One replica at a time should. */
export async function runTriggerController(context: ControllerContext, signal: AbortSignal): Promise<void> {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const reconciler = new TriggerReconciler(context);
  const synced = Promise.withResolvers<void>();
  const listening = (async () => {
    for await (const event of context.fleet.events(either)) {
      if (event.type === "synced") synced.resolve();
      else reconciler.enqueueCluster(event);
    }
    synced.resolve();
  })();
  try {
    // A cluster that is not known yet must not be taken for one that is gone.
    await synced.promise;
    if (!either.aborted) await reconciler.run(either);
  } finally {
    stop.abort();
    await listening;
  }
}

class TriggerReconciler {
  readonly #desk: ControllerContext;
  readonly #queue: WorkQueue;
  readonly #holdings: GeneratedIndex;
  readonly #topics = new DependencyIndex();
  readonly #echo = new Expectations();
  readonly #ledger = new ClusterResults();
  readonly #templates: EventTemplates;
  readonly #statuses: TriggerStatusWriter;
  readonly #memories = new Map<string, InstantiationCache>();
  /** When the status of each trigger was last looked at. */
  readonly #told = new Map<string, number>();
  /** The report that was last worked in for each pair. */
  readonly #reports = new Map<string, string>();
  /** Clusters whose name no label can hold, by the name that stands in labels. */
  readonly #longNamed = new Map<string, string>();

  constructor(context: ControllerContext) {
    const { hub, telemetry } = context;
    this.#desk = context;
    this.#queue = new WorkQueue({ clock: hub.clock, random: hub.random, laneOf, report: telemetry.failureReporter("triggers") });
    telemetry.watchQueue("triggers", this.#queue);
    this.#holdings = new GeneratedIndex(context.cache);
    this.#templates = new EventTemplates(context.environment);
    this.#statuses = new TriggerStatusWriter(context, this.#holdings, this.#ledger);
  }

  run(signal: AbortSignal): Promise<void> {
    const concerns = new TriggerWatches(this.#desk, this.#topics, this.#echo, (trigger, isUrgent) => this.#tell(trigger, isUrgent));
    return runControlLoop(concerns.sources(), this.#queue, (key, each) => this.#reconcile(key, each), signal);
  }

  /** Whether a cluster matches is a matter between it and each trigger. */
  enqueueCluster(event: Exclude<FleetEvent, { type: "synced" }>): void {
    if (event.type === "ready" || event.type === "lost") return;
    const { managed, key } = event.cluster;
    const known = clusterKey(clusterAsInLabels(managed));
    if (known !== key) this.#longNamed.set(known, key);
    for (const kind of triggerKinds)
      for (const { metadata } of this.#desk.cache.all(kind)) this.#queue.add(pairKey(pairOf(metadata.name, managed)));
  }

  /** What is urgent is told at once, unless something was told just before: a thousand failures are no thousand statuses. */
  #tell(trigger: string, isUrgent: boolean): void {
    const key = `status ${trigger}`;
    const waitMs = (this.#told.get(trigger) ?? 0) + statusDelayMs - this.#desk.hub.clock.now();
    if (isUrgent && waitMs <= 0) this.#queue.add(key);
    else this.#queue.addAfter(key, isUrgent ? waitMs : statusDelayMs);
  }

  async #writeStatus(trigger: string, signal: AbortSignal): Promise<ReconcileResult> {
    this.#told.set(trigger, this.#desk.hub.clock.now());
    return (await this.#statuses.write(trigger, signal)) ? reconciled : { settled: false, requeueAfterMs };
  }

  async #reconcile(key: string, signal: AbortSignal): Promise<ReconcileResult> {
    const [what, label = ""] = key.split(" ");
    if (what === "pair") return this.#visit(key, signal);
    if (what === "status") return this.#writeStatus(label, signal);
    const triggers = this.#holdings.triggersNamed(label);
    if (triggers.length === 0) this.#forget(label);
    else this.#tell(label, triggers.length > 1);
    return (await reconcileFinalizers(triggers, this.#holdings.hasGenerated(label), this.#desk, signal))
      ? reconciled
      : { settled: false, requeueAfterMs };
  }

  async #visit(key: string, signal: AbortSignal): Promise<ReconcileResult> {
    const pair = pairOfKey(key);
    const found = this.#clusterOf(pair);
    const trigger = this.#holdings.triggersNamed(pair.trigger)[0];
    const decision = this.#judge(key, pair, trigger, found);
    this.#topics.set(key, decision.dependencies);
    const { type, namespace, name } = found?.managed ?? pair.cluster;
    const entry = decision.result && { ...decision.result, cluster: { type, namespace, name } };
    this.#count(key, pair, decision);
    if (decision.changes.length === 0) {
      this.#enter(pair, entry, trigger);
      return reconciled;
    }
    const done = await writeGenerated(decision.changes, { ...this.#desk, expectations: this.#echo }, signal);
    this.#enter(pair, entry !== undefined && "fault" in done ? withFault(entry, done.fault) : entry, trigger);
    if ("fault" in done) throw done.fault;
    // What was referred to before can go now; or all has gone, which is still to be told.
    if ((decision.isWaiting && done.changedProfiles) || entry?.work?.state === "Removing") this.#queue.add(key);
    return done.requeue ? { settled: false, requeueAfterMs } : reconciled;
  }

  #judge(key: string, pair: TriggerClusterPair, trigger: KubeObject | undefined, found: FleetCluster | undefined): TriggerDecision {
    const generated = this.#holdings.generatedFor(pair);
    const { cache, hub } = this.#desk;
    let isRemembered = false;
    const memory = (): InstantiationCache => {
      isRemembered = true;
      const known = this.#memories.get(key) ?? new InstantiationCache();
      this.#memories.set(key, known);
      return known;
    };
    const context = { cache, templates: this.#templates, random: hub.random, memory };
    const decision = decideTrigger(pair.cluster, pair.trigger, { trigger, cluster: found?.managed, generated }, context);
    if (!isRemembered) this.#memories.delete(key);
    return decision;
  }

  #enter(pair: TriggerClusterPair, entry: ClusterResult | undefined, trigger: KubeObject | undefined): void {
    if (trigger === undefined || entry === undefined) return;
    if (this.#ledger.record(pair, entry)) this.#tell(pair.trigger, (entry.work?.troubles.length ?? 0) > 0);
  }

  #count(key: string, { trigger }: TriggerClusterPair, { report }: TriggerDecision): void {
    const before = this.#reports.get(key);
    if (report === undefined) this.#reports.delete(key);
    else this.#reports.set(key, report);
    if (report !== undefined && report !== before) this.#desk.telemetry.count("sluice_events_total", { trigger });
  }

  #forget(trigger: string): void {
    this.#ledger.forget(trigger);
    this.#told.delete(trigger);
  }

  #clusterOf({ cluster }: TriggerClusterPair): FleetCluster | undefined {
    const key = clusterKey(cluster);
    return this.#desk.fleet.find(this.#longNamed.get(key) ?? key);
  }
}

function withFault(entry: ClusterResult, fault: unknown): ClusterResult {
  const trouble = { reason: "WriteFailed", message: fault instanceof Error ? fault.message : String(fault) };
  const work = entry.work ?? { state: "Provisioning", troubles: [] };
  return { ...entry, work: { ...work, troubles: [...work.troubles, trouble] } };
}

/** One cluster's work holds up no other's, and statuses hold up no work. */
function laneOf(key: string): string {
  const [what, of = ""] = key.split(" ");
  return what === "pair" ? of : `${what} ${of}`;
}
