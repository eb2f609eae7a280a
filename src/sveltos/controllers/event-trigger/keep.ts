import { DraftMemory, EventTemplates } from "../../instantiate/index.ts";
import { clusterKey, type FleetCluster, type FleetEvent } from "../../fleet/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import { control, settled, WorkQueue, type Outcome } from "../../../reconcile/index.ts";
import type { Desk } from "../context/index.ts";
import { Concerns } from "./concerns.ts";
import { Echo } from "./echo.ts";
import { Holdings, triggerKinds } from "./holdings.ts";
import { judge, type Verdict } from "./judge.ts";
import { Ledger, type Entry } from "./ledger.ts";
import { inLabels, pairAt, pairKey, pairOf, type Pair } from "./pair.ts";
import { perform } from "./perform.ts";
import { Topics } from "./topics.ts";
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
    const concerns = new Concerns(this.#desk, this.#topics, this.#echo, (trigger, isUrgent) => this.#tell(trigger, isUrgent));
    return control(concerns.sources(), this.#queue, (key, each) => this.#reconcile(key, each), signal);
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
