import { DraftMemory, EventTemplates } from "../../addon/instantiate/index.ts";
import { gvkOf, labelValue } from "../../api/index.ts";
import { clusterIdOf, clusterKey, selectedBy, type FleetCluster, type FleetEvent } from "../../fleet/index.ts";
import type { ObjectChange } from "../../kube/index.ts";
import type { GroupVersionKind, KubeObject } from "../../object/index.ts";
import { control, settled, WorkQueue, type Outcome, type Source } from "../../reconcile/index.ts";
import type { Desk } from "../desk.ts";
import { Echo } from "./echo.ts";
import { failuresOf, Holdings, madeKinds, triggerKinds } from "./holdings.ts";
import { judge, readTrigger, type Verdict } from "./judge.ts";
import { Ledger, type Entry } from "./ledger.ts";
import { inLabels, pairAt, pairKey, pairOf, pairOfLabels, pairOfMade, type Pair } from "./pair.ts";
import { perform } from "./perform.ts";
import { isOnGenerated, isSubstantial } from "./relevance.ts";
import { clustersInStatus } from "./status.ts";
import { topicOf, Topics } from "./topics.ts";
import { attend } from "./trigger.ts";
import { StatusWriter } from "./write-status.ts";

/** How long what goes well may wait to be told: at most about one status a second for each trigger. */
const statusDelayMs = 1000;
/** Until the copies show what somebody else has done. */
const lookAgainMs = 200;

/** Keeps what triggers make until the signal aborts. One replica at a time should. */
export async function keepTriggers(desk: Desk, signal: AbortSignal): Promise<void> {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const keeper = new Keeper(desk);
  const synced = Promise.withResolvers<void>();
  const listening = (async () => {
    for await (const event of desk.fleet.events(either)) {
      if (event.type === "synced") synced.resolve();
      else keeper.hear(event);
    }
    synced.resolve();
  })();
  try {
    // A cluster that is not known yet must not be taken for one that is gone.
    await synced.promise;
    if (!either.aborted) await keeper.run(either);
  } finally {
    stop.abort();
    await listening;
  }
}

class Keeper {
  readonly #desk: Desk;
  readonly #queue: WorkQueue;
  readonly #holdings: Holdings;
  readonly #topics = new Topics();
  readonly #echo = new Echo();
  readonly #ledger = new Ledger();
  readonly #templates: EventTemplates;
  readonly #statuses: StatusWriter;
  readonly #memories = new Map<string, DraftMemory>();
  /** When the status of each trigger was last looked at. */
  readonly #told = new Map<string, number>();
  /** The report that was last worked in for each pair. */
  readonly #reports = new Map<string, string>();
  /** Clusters whose name no label can hold, by the name that stands in labels. */
  readonly #longNamed = new Map<string, string>();

  constructor(desk: Desk) {
    const { hub, chronicle } = desk;
    this.#desk = desk;
    this.#queue = new WorkQueue({ clock: hub.clock, random: hub.random, laneOf, report: chronicle.failures("triggers") });
    chronicle.watch("triggers", this.#queue);
    this.#holdings = new Holdings(desk.copies);
    this.#templates = new EventTemplates(desk.surroundings);
    this.#statuses = new StatusWriter(desk, this.#holdings, this.#ledger);
  }

  run(signal: AbortSignal): Promise<void> {
    return control(this.#sources(), this.#queue, (key, each) => this.#reconcile(key, each), signal);
  }

  /** Whether a cluster matches is a matter between it and each trigger. */
  hear(event: Exclude<FleetEvent, { type: "synced" }>): void {
    if (event.type === "ready" || event.type === "lost") return;
    const { managed, key } = event.cluster;
    const known = clusterKey(inLabels(managed));
    if (known !== key) this.#longNamed.set(known, key);
    for (const kind of triggerKinds)
      for (const { metadata } of this.#desk.copies.all(kind)) this.#queue.add(pairKey(pairOf(metadata.name, managed)));
  }

  #sources(): readonly Source[] {
    const from = (kind: GroupVersionKind, keysOf: (change: ObjectChange) => Iterable<string>): Source => ({
      changes: this.#desk.copies.of(kind),
      keysOf,
    });
    return [
      ...triggerKinds.map((kind) => from(kind, (change) => this.#keysOfTrigger(change))),
      ...madeKinds.map((kind) => from(kind, (change) => this.#keysOfMade(change))),
      from(gvkOf("EventSource"), (change) => this.#keysResting(change)),
      from(gvkOf("EventReport"), (change) => this.#keysResting(change)),
      from(gvkOf("ClusterSet"), (change) => this.#keysOfSet(change)),
      from(gvkOf("ClusterSummary"), (change) => this.#keysOfFate(change)),
    ];
  }

  *#keysOfTrigger(change: ObjectChange): Iterable<string> {
    const label = labelValue(change.object.metadata.name);
    yield `trigger ${label}`;
    if (!isSubstantial(change)) return;
    for (const { managed } of this.#desk.fleet.clusters()) yield pairKey(pairOf(label, managed));
    for (const cluster of clustersInStatus(change.object)) yield pairKey({ trigger: label, cluster: clusterIdOf(cluster) });
  }

  /** ConfigMaps, Secrets and ClusterProfiles: made by triggers, or referred to by them. */
  *#keysOfMade(change: ObjectChange): Iterable<string> {
    const { object } = change;
    if (object.kind === "ClusterProfile") this.#noteFate(change);
    if (!isSubstantial(change, object.kind === "ClusterProfile" ? isOnGenerated : undefined)) return;
    const pair = pairOfMade(object);
    const own = pair === undefined ? undefined : pairKey(pair);
    const isOwn = own !== undefined && this.#echo.isOwn(change);
    for (const key of this.#topics.restingOn(topicOf({ kind: object.kind, ...object.metadata }))) if (!isOwn || key !== own) yield key;
    if (pair === undefined || own === undefined) return;
    if (!isOwn) yield own;
    if (change.type === "modified") yield* formerOf(change.previous, own);
    if (change.type === "deleted") yield `trigger ${pair.trigger}`;
  }

  #keysResting(change: ObjectChange): Iterable<string> {
    const { kind, metadata } = change.object;
    return isSubstantial(change) ? this.#topics.restingOn(topicOf({ kind, ...metadata })) : [];
  }

  *#keysOfSet(change: ObjectChange): Iterable<string> {
    const clusters = [...selectedBy(change.object), ...(change.type === "modified" ? selectedBy(change.previous) : [])];
    const { kind: setKind, metadata } = change.object;
    const { name } = metadata;
    yield* this.#topics.restingOn(topicOf({ kind: setKind, name }));
    for (const kind of triggerKinds) {
      for (const trigger of this.#desk.copies.all(kind)) {
        const reading = readTrigger(trigger);
        if (reading.state === "invalid" || !reading.value.clusterSetRefs.includes(name)) continue;
        yield `trigger ${labelValue(trigger.metadata.name)}`;
        for (const cluster of clusters) yield pairKey(pairOf(trigger.metadata.name, cluster));
      }
    }
  }

  #keysOfFate(change: ObjectChange): Iterable<string> {
    this.#noteFate(change);
    return [];
  }

  /** How a profile or ClusterSummary fares shows in the status of the trigger: trouble at once, the rest in its time. */
  #noteFate({ object }: ObjectChange): void {
    const pair = pairOfLabels(object.metadata.labels);
    if (pair !== undefined) this.#tell(pair.trigger, failuresOf(object).length > 0);
  }

  /** What is urgent is told at once, unless something was told just before: a thousand failures are no thousand statuses. */
  #tell(trigger: string, isUrgent: boolean): void {
    const key = `status ${trigger}`;
    const waitMs = (this.#told.get(trigger) ?? 0) + statusDelayMs - this.#desk.hub.clock.now();
    if (isUrgent && waitMs <= 0) this.#queue.add(key);
    else this.#queue.addAfter(key, isUrgent ? waitMs : statusDelayMs);
  }

  async #writeStatus(trigger: string, signal: AbortSignal): Promise<Outcome> {
    this.#told.set(trigger, this.#desk.hub.clock.now());
    return (await this.#statuses.write(trigger, signal)) ? settled : { settled: false, againInMs: lookAgainMs };
  }

  async #reconcile(key: string, signal: AbortSignal): Promise<Outcome> {
    const [what, label = ""] = key.split(" ");
    if (what === "pair") return this.#visit(key, signal);
    if (what === "status") return this.#writeStatus(label, signal);
    const triggers = this.#holdings.triggersNamed(label);
    if (triggers.length === 0) this.#forget(label);
    else this.#tell(label, triggers.length > 1);
    return (await attend(triggers, this.#holdings.hasMade(label), this.#desk, signal))
      ? settled
      : { settled: false, againInMs: lookAgainMs };
  }

  async #visit(key: string, signal: AbortSignal): Promise<Outcome> {
    const pair = pairAt(key);
    const found = this.#clusterOf(pair);
    const trigger = this.#holdings.triggersNamed(pair.trigger)[0];
    const verdict = this.#judge(key, pair, trigger, found);
    this.#topics.set(key, verdict.topics);
    const { type, namespace, name } = found?.managed ?? pair.cluster;
    const entry = verdict.entry && { ...verdict.entry, cluster: { type, namespace, name } };
    this.#count(key, pair, verdict);
    if (verdict.changes.length === 0) {
      this.#enter(pair, entry, trigger);
      return settled;
    }
    const done = await perform(verdict.changes, { ...this.#desk, echo: this.#echo }, signal);
    this.#enter(pair, entry !== undefined && "fault" in done ? withFault(entry, done.fault) : entry, trigger);
    if ("fault" in done) throw done.fault;
    // What was referred to before can go now; or all has gone, which is still to be told.
    if ((verdict.isWaiting && done.changedProfiles) || entry?.work?.state === "Removing") this.#queue.add(key);
    return done.again ? { settled: false, againInMs: lookAgainMs } : settled;
  }

  #judge(key: string, pair: Pair, trigger: KubeObject | undefined, found: FleetCluster | undefined): Verdict {
    const made = this.#holdings.made(pair);
    const { copies, hub } = this.#desk;
    let isRemembered = false;
    const memory = (): DraftMemory => {
      isRemembered = true;
      const known = this.#memories.get(key) ?? new DraftMemory();
      this.#memories.set(key, known);
      return known;
    };
    const world = { copies, templates: this.#templates, random: hub.random, memory };
    const verdict = judge(pair.cluster, pair.trigger, { trigger, cluster: found?.managed, made }, world);
    if (!isRemembered) this.#memories.delete(key);
    return verdict;
  }

  #enter(pair: Pair, entry: Entry | undefined, trigger: KubeObject | undefined): void {
    if (trigger === undefined || entry === undefined) return;
    if (this.#ledger.enter(pair, entry)) this.#tell(pair.trigger, (entry.work?.troubles.length ?? 0) > 0);
  }

  #count(key: string, { trigger }: Pair, { report }: Verdict): void {
    const before = this.#reports.get(key);
    if (report === undefined) this.#reports.delete(key);
    else this.#reports.set(key, report);
    if (report !== undefined && report !== before) this.#desk.chronicle.count("sluice_events_total", { trigger });
  }

  #forget(trigger: string): void {
    this.#ledger.forget(trigger);
    this.#told.delete(trigger);
  }

  #clusterOf({ cluster }: Pair): FleetCluster | undefined {
    const key = clusterKey(cluster);
    return this.#desk.fleet.find(this.#longNamed.get(key) ?? key);
  }
}

/** An object whose labels were changed has left where it belonged. */
function formerOf(previous: KubeObject, now: string): readonly string[] {
  const pair = pairOfMade(previous);
  const key = pair === undefined ? now : pairKey(pair);
  return key === now ? [] : [key];
}

function withFault(entry: Entry, fault: unknown): Entry {
  const trouble = { reason: "WriteFailed", message: fault instanceof Error ? fault.message : String(fault) };
  const work = entry.work ?? { state: "Provisioning", troubles: [] };
  return { ...entry, work: { ...work, troubles: [...work.troubles, trouble] } };
}

/** One cluster's work holds up no other's, and statuses hold up no work. */
function laneOf(key: string): string {
  const [what, of = ""] = key.split(" ");
  return what === "pair" ? of : `${what} ${of}`;
}
