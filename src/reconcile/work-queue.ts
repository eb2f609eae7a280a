import type { Cancel, Clock } from "../core/clock/index.ts";
import { Fault } from "../core/fault/index.ts";
import { backoffMs, defaultBackoff, type Backoff } from "./backoff.ts";
import { Fifo } from "./fifo.ts";
import { Lane } from "./lane.ts";

/** What a reconcile wants next. Failing is not in here: that is what throwing is for. */
export type ReconcileResult = { readonly settled: true } | { readonly settled: false; readonly requeueAfterMs: number };

export const reconciled: ReconcileResult = { settled: true };

/**
 * Brings the world to what `key` asks for. Level-based: it is told who, never what happened. It is never called twice at
 * once for one key; it should end soon after the signal aborts. What it throws is tried again later, a final Fault only
 * when the key is added again.
 */
export type Reconcile<Key = string> = (key: Key, signal: AbortSignal) => Promise<ReconcileResult>;

/** Told of every failure; `againInMs` is undefined when it will not be tried again by itself. */
export type ReportFailure = (failure: {
  /** The identity of the key. */
  readonly key: string;
  readonly error: unknown;
  readonly failures: number;
  readonly againInMs: number | undefined;
}) => void;

/** Tells keys apart: two keys of one identity are the same work. A string is its own identity, any other key needs a function. */
type KeyIdentity<Key> = [Key] extends [string] ? { readonly identity?: (key: Key) => string } : { readonly identity: (key: Key) => string };

export type WorkQueueOptions<Key = string> = KeyIdentity<Key> & {
  readonly clock: Clock;
  /** Between 0 and 1, for jitter. Default: always one half, which is none. */
  readonly random?: () => number;
  /** How many keys are worked on at once in all. Default 256: waiting for an answer takes no thread. */
  readonly workers?: number;
  /** How many keys of one lane are worked on at once. Default 4. */
  readonly perLane?: number;
  /** Which lane a key belongs to: a cluster's, so that a slow one holds up its own keys only. Default: one lane for all. */
  readonly laneOf?: (key: Key) => string;
  readonly backoff?: Backoff;
  readonly report?: ReportFailure;
};

/** How a queue is doing, for metrics. Ages are in milliseconds. */
export type WorkQueueState = {
  /** Keys that wait for a worker, that are worked on, that wait for their time. */
  readonly depth: number;
  readonly running: number;
  readonly delayed: number;
  /** How long the key that has waited longest for a worker has waited, and the work that takes longest has taken. */
  readonly oldestMs: number;
  readonly longestRunMs: number;
  /** Since the beginning. */
  readonly added: number;
  readonly worked: number;
  readonly failed: number;
  readonly retried: number;
  /** Lanes that have keys waiting or at work, and how many. */
  readonly lanes: Readonly<Record<string, { readonly depth: number; readonly running: number }>>;
};

/** One key's place in the queue. */
type Entry<Key> = {
  readonly key: Key;
  readonly lane: string;
  readySince?: number | undefined;
  runningSince?: number | undefined;
  delay?: { readonly at: number; readonly cancel: Cancel } | undefined;
  /** Asked for while it runs: it runs once more. */
  again: boolean;
  /** Dropped while it runs: nothing follows from how that ends. */
  dropped: boolean;
  failures: number;
};

/**
 * Keys that want to be worked on. A key is there once however often it is added, is worked on by one worker at a time,
 * and runs once more when it was added meanwhile. Lanes take turns. Keys are plain values, told apart by their identity.
 */
export class WorkQueue<Key = string> {
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #workers: number;
  readonly #perLane: number;
  readonly #identity: (key: Key) => string;
  readonly #laneOf: (key: Key) => string;
  readonly #backoff: Backoff;
  readonly #report: ReportFailure;
  /** By identity, as the lanes have it. */
  readonly #entries = new Map<string, Entry<Key>>();
  readonly #lanes = new Map<string, Lane>();
  /** Lanes with keys that wait and room to work on them, in the order in which it is their turn. */
  readonly #turns = new Fifo<Lane>();
  #running = 0;
  #counts = { added: 0, worked: 0, failed: 0, retried: 0 };
  #work: { readonly reconcile: Reconcile<Key>; readonly signal: AbortSignal } | undefined;
  #drained: (() => void) | undefined;

  constructor(options: WorkQueueOptions<Key>) {
    this.#clock = options.clock;
    this.#random = options.random ?? (() => 0.5);
    this.#workers = options.workers ?? 256;
    this.#perLane = options.perLane ?? 4;
    this.#identity = options.identity ?? String;
    this.#laneOf = options.laneOf ?? (() => "");
    this.#backoff = options.backoff ?? defaultBackoff;
    this.#report = options.report ?? (() => {});
  }

  /** Wants `key` worked on now, or once more when it is being worked on. Ends a wait that it is in. */
  add(key: Key): void {
    this.#counts.added++;
    const id = this.#identity(key);
    const entry = this.#entryOf(id, key);
    entry.dropped = false;
    this.#makeReady(id, entry);
  }

  /** Wants `key` worked on in a while, if nothing makes it sooner. A run in between starts over: its outcome says what comes next. */
  addAfter(key: Key, ms: number): void {
    const id = this.#identity(key);
    const entry = this.#entryOf(id, key);
    entry.dropped = false;
    if (entry.readySince === undefined && !entry.again) this.#delay(id, entry, ms, true);
  }

  /** Forgets a key that no longer stands for anything. What runs goes on, and is not repeated. */
  drop(key: Key): void {
    const id = this.#identity(key);
    const entry = this.#entries.get(id);
    if (entry !== undefined) this.#dropEntry(id, entry);
  }

  #dropEntry(id: string, entry: Entry<Key>): void {
    entry.delay?.cancel();
    entry.again = false;
    entry.dropped = true;
    entry.failures = 0;
    entry.delay = undefined;
    if (entry.readySince !== undefined) this.#laneFor(entry.lane).drop(id);
    entry.readySince = undefined;
    this.#tidy(id, entry);
    if (this.#lanes.get(entry.lane)?.isIdle === true) this.#lanes.delete(entry.lane);
  }

  /**
   * Works until the signal aborts; resolves when everything that was at work then has ended. Every run's signal aborts
   * with it. What still waits is forgotten: whoever starts again adds all there is.
   */
  async run(reconcile: Reconcile<Key>, signal: AbortSignal): Promise<void> {
    if (this.#work !== undefined) throw new Fault("the queue is already being worked on");
    if (signal.aborted) return;
    this.#work = { reconcile, signal };
    this.#dispatch();
    // The first work has begun by now, and may have ended all work.
    if (!signal.aborted) await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    for (const [id, entry] of this.#entries) this.#dropEntry(id, entry);
    if (this.#running > 0) await new Promise<void>((resolve) => (this.#drained = resolve));
    this.#work = undefined;
  }

  state(): WorkQueueState {
    const now = this.#clock.now();
    const entries = [...this.#entries.values()];
    const since = (times: readonly (number | undefined)[]) =>
      times.reduce<number>((most, at) => Math.max(most, at === undefined ? 0 : now - at), 0);
    return {
      depth: entries.filter(({ readySince }) => readySince !== undefined).length,
      running: this.#running,
      delayed: entries.filter(({ delay }) => delay !== undefined).length,
      oldestMs: since(entries.map(({ readySince }) => readySince)),
      longestRunMs: since(entries.map(({ runningSince }) => runningSince)),
      ...this.#counts,
      lanes: Object.fromEntries(
        [...this.#lanes].filter(([, lane]) => !lane.isIdle).map(([name, { depth, running }]) => [name, { depth, running }]),
      ),
    };
  }

  #entryOf(id: string, key: Key): Entry<Key> {
    let entry = this.#entries.get(id);
    if (entry === undefined) this.#entries.set(id, (entry = { key, lane: this.#laneOf(key), again: false, dropped: false, failures: 0 }));
    return entry;
  }

  #laneFor(name: string): Lane {
    let lane = this.#lanes.get(name);
    if (lane === undefined) this.#lanes.set(name, (lane = new Lane()));
    return lane;
  }

  #makeReady(id: string, entry: Entry<Key>): void {
    entry.delay?.cancel();
    entry.delay = undefined;
    if (entry.readySince !== undefined) return;
    if (entry.runningSince !== undefined) {
      entry.again = true;
      return;
    }
    entry.readySince = this.#clock.now();
    const lane = this.#laneFor(entry.lane);
    lane.put(id);
    this.#lineUp(lane);
    this.#dispatch();
  }

  /** A look to be taken some day is no reason for a process or a virtual clock to go on; a retry is. */
  #delay(id: string, entry: Entry<Key>, ms: number, background: boolean): void {
    const at = this.#clock.now() + ms;
    if (entry.delay !== undefined && entry.delay.at <= at) return;
    entry.delay?.cancel();
    const cancel = this.#clock.after(ms, () => this.#makeReady(id, entry), { background });
    entry.delay = { at, cancel };
  }

  #dispatch(): void {
    const work = this.#work;
    if (work === undefined || work.signal.aborted) return;
    for (let found = this.#next(); found !== undefined; found = this.#next()) void this.#perform(...found, work.reconcile, work.signal);
  }

  /** A lane that can go on stands in line, once. */
  #lineUp(lane: Lane): void {
    if (lane.inLine || !lane.hasRoom(this.#perLane)) return;
    lane.inLine = true;
    this.#turns.push(lane);
  }

  /** The next key of the lane whose turn it is, which then goes to the end of the line. */
  #next(): [string, Lane] | undefined {
    if (this.#running >= this.#workers) return undefined;
    for (let lane = this.#turns.shift(); lane !== undefined; lane = this.#turns.shift()) {
      lane.inLine = false;
      const id = lane.hasRoom(this.#perLane) ? lane.take() : undefined;
      if (id !== undefined) return [id, lane];
    }
    return undefined;
  }

  async #perform(id: string, lane: Lane, reconcile: Reconcile<Key>, signal: AbortSignal): Promise<void> {
    const entry = this.#entries.get(id)!;
    entry.readySince = undefined;
    entry.runningSince = this.#clock.now();
    lane.running++;
    this.#running++;
    this.#lineUp(lane);
    const result = await attempt(() => reconcile(entry.key, signal));
    lane.running--;
    this.#running--;
    entry.runningSince = undefined;
    if (!signal.aborted && !entry.dropped) this.#follow(id, entry, lane, result);
    this.#tidy(id, entry);
    this.#lineUp(lane);
    if (this.#running === 0) this.#drained?.();
    this.#dispatch();
  }

  #follow(id: string, entry: Entry<Key>, lane: Lane, result: Result): void {
    this.#counts.worked++;
    const { again } = entry;
    entry.again = false;
    if ("error" in result) return this.#retry(id, entry, again, result.error);
    entry.failures = 0;
    lane.onProbation = false;
    if (again) this.#makeReady(id, entry);
    else if (!result.outcome.settled) this.#delay(id, entry, result.outcome.requeueAfterMs, true);
  }

  #retry(id: string, entry: Entry<Key>, again: boolean, error: unknown): void {
    this.#counts.failed++;
    const isFinal = error instanceof Fault && error.final;
    // What is wrong with one object says nothing of its cluster.
    if (!isFinal) this.#laneFor(entry.lane).onProbation = true;
    const failures = ++entry.failures;
    const againInMs = again ? 0 : isFinal ? undefined : backoffMs(failures, this.#random, this.#backoff);
    if (againInMs !== undefined) this.#counts.retried++;
    this.#report({ key: id, error, failures, againInMs });
    if (again) this.#makeReady(id, entry);
    else if (againInMs !== undefined) this.#delay(id, entry, againInMs, false);
  }

  /** Keeps nothing about keys and lanes at rest; a key that failed is remembered until it succeeds or is dropped. */
  #tidy(id: string, entry: Entry<Key>): void {
    const isIdle = entry.readySince === undefined && entry.runningSince === undefined && entry.delay === undefined;
    if (isIdle && entry.failures === 0 && this.#entries.get(id) === entry) this.#entries.delete(id);
    const lane = this.#lanes.get(entry.lane);
    if (lane?.isIdle === true && !lane.onProbation) this.#lanes.delete(entry.lane);
  }
}

type Result = { readonly outcome: ReconcileResult } | { readonly error: unknown };

async function attempt(work: () => Promise<ReconcileResult>): Promise<Result> {
  try {
    return { outcome: await work() };
  } catch (error) {
    return { error };
  }
}
