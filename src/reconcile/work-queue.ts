import type { Cancel, Clock } from "../core/clock/index.ts";
import { Fault } from "../core/fault/index.ts";
import { backoffMs, type Backoff } from "../kube/index.ts";
import { Fifo } from "./fifo.ts";
import { Lane } from "./lane.ts";

/** A first retry that nobody notices, and at most one every five minutes for what stays broken. */
const defaultBackoff: Backoff = { firstMs: 100, maxMs: 300_000 };

/** The result of a reconcile. A failure is thrown instead. Models controller-runtime reconcile.Result */
export type ReconcileResult = { readonly settled: true } | { readonly settled: false; readonly requeueAfterMs: number };

export const reconciled: ReconcileResult = { settled: true };

/**
 * Reconciles one key. Level-based: it gets the key, never the event. It never runs concurrently for one key, and should
 * end soon after the signal aborts. A thrown error is retried with back-off, a final Fault only when the key is added
 * again.
 */
export type Reconcile<Key = string> = (key: Key, signal: AbortSignal) => Promise<ReconcileResult>;

/** Receives every failure. `requeueAfterMs` is undefined when there is no retry. */
export type ReportFailure = (failure: {
  /** The identity of the key. */
  readonly key: string;
  readonly error: unknown;
  readonly failures: number;
  readonly requeueAfterMs: number | undefined;
}) => void;

/** Keys of one identity are the same work. A string is its own identity; any other key needs a function. */
type KeyIdentity<Key> = [Key] extends [string] ? { readonly identity?: (key: Key) => string } : { readonly identity: (key: Key) => string };

export type WorkQueueOptions<Key = string> = KeyIdentity<Key> & {
  readonly clock: Clock;
  /** Between 0 and 1, for jitter. Default: always one half, which means none. */
  readonly random?: () => number;
  /** The number of workers. Default 256: a worker that waits for a response takes no thread. */
  readonly workers?: number;
  /** The number of workers for one lane. Default 4. */
  readonly perLane?: number;
  /** The lane of a key, such as its cluster: a slow lane only blocks its own keys. Default: one lane for all. */
  readonly laneOf?: (key: Key) => string;
  readonly backoff?: Backoff;
  readonly report?: ReportFailure;
  /** Calls back when a server that could not be reached is back: keys that failed are then retried at once. Default: never. */
  readonly onRecovery?: (listener: () => void, signal: AbortSignal) => void;
};

/** The state of a queue, for metrics. Ages are in milliseconds. */
export type WorkQueueState = {
  /** The numbers of keys that are queued, running and delayed. */
  readonly depth: number;
  readonly running: number;
  readonly delayed: number;
  /** The longest wait of a queued key, and the longest run. */
  readonly oldestMs: number;
  readonly longestRunMs: number;
  /** Totals. */
  readonly added: number;
  readonly worked: number;
  readonly failed: number;
  readonly retried: number;
  /** The lanes with queued or running keys. */
  readonly lanes: Readonly<Record<string, { readonly depth: number; readonly running: number }>>;
};

/** The state of one key in the queue. */
type Entry<Key> = {
  readonly key: Key;
  readonly lane: string;
  readySince?: number | undefined;
  runningSince?: number | undefined;
  delay?: { readonly at: number; readonly cancel: Cancel } | undefined;
  /** Added during its run: it runs once more. */
  again: boolean;
  /** Dropped during its run: the result is ignored. */
  dropped: boolean;
  failures: number;
};

/**
 * A queue of keys to reconcile. A key is queued once however often it is added, runs in one worker at a time, and runs
 * again when it is added during its run. Lanes take turns. Keys are plain values with an identity. Models client-go
 * util/workqueue
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
  readonly #onRecovery: (listener: () => void, signal: AbortSignal) => void;
  /** By identity, as in the lanes. */
  readonly #entries = new Map<string, Entry<Key>>();
  readonly #lanes = new Map<string, Lane>();
  /** Lanes with queued keys and free workers, in the order of their turns. */
  readonly #laneQueue = new Fifo<Lane>();
  #running = 0;
  #totals = { added: 0, worked: 0, failed: 0, retried: 0 };
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
    this.#onRecovery = options.onRecovery ?? (() => {});
  }

  /** Enqueues a key now, or once more when it is running. Cancels its delay. */
  add(key: Key): void {
    this.#totals.added++;
    const id = this.#identity(key);
    const entry = this.#entryOf(id, key);
    entry.dropped = false;
    this.#makeReady(id, entry);
  }

  /** Enqueues a key after a delay, unless it is enqueued sooner. Its next result overrides the delay. */
  addAfter(key: Key, ms: number): void {
    const id = this.#identity(key);
    const entry = this.#entryOf(id, key);
    entry.dropped = false;
    if (entry.readySince === undefined && !entry.again) this.#delay(id, entry, ms, true);
  }

  /** Removes a key that no longer exists. A current run continues, and is not repeated. */
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
    this.#cleanUp(id, entry);
    if (this.#lanes.get(entry.lane)?.isIdle === true) this.#lanes.delete(entry.lane);
  }

  /**
   * Runs until the signal aborts, and resolves when all runs have ended. The signal of every run aborts with it. Queued
   * keys are dropped: a restart adds all keys again.
   */
  async run(reconcile: Reconcile<Key>, signal: AbortSignal): Promise<void> {
    if (this.#work !== undefined) throw new Fault("the queue is already being worked on");
    if (signal.aborted) return;
    this.#work = { reconcile, signal };
    this.#onRecovery(() => this.#retryFailed(), signal);
    this.#dispatch();
    // The first run has started, and may have aborted the signal.
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
      ...this.#totals,
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
    this.#queueLane(lane);
    this.#dispatch();
  }

  /** A requeue does not keep a process or a virtual clock going. A retry does. */
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
    for (let found = this.#next(); found !== undefined; found = this.#next()) void this.#process(...found, work.reconcile, work.signal);
  }

  /** Queues a lane that can run, once. */
  #queueLane(lane: Lane): void {
    if (lane.isQueued || !lane.hasRoom(this.#perLane)) return;
    lane.isQueued = true;
    this.#laneQueue.push(lane);
  }

  /** The next key of the lane whose turn it is. The lane then goes to the end. */
  #next(): [string, Lane] | undefined {
    if (this.#running >= this.#workers) return undefined;
    for (let lane = this.#laneQueue.shift(); lane !== undefined; lane = this.#laneQueue.shift()) {
      lane.isQueued = false;
      const id = lane.hasRoom(this.#perLane) ? lane.take() : undefined;
      if (id !== undefined) return [id, lane];
    }
    return undefined;
  }

  async #process(id: string, lane: Lane, reconcile: Reconcile<Key>, signal: AbortSignal): Promise<void> {
    const entry = this.#entries.get(id)!;
    entry.readySince = undefined;
    entry.runningSince = this.#clock.now();
    lane.running++;
    this.#running++;
    this.#queueLane(lane);
    const result = await resultOf(() => reconcile(entry.key, signal));
    lane.running--;
    this.#running--;
    entry.runningSince = undefined;
    if (!signal.aborted && !entry.dropped) this.#handleResult(id, entry, lane, result);
    this.#cleanUp(id, entry);
    this.#queueLane(lane);
    if (this.#running === 0) this.#drained?.();
    this.#dispatch();
  }

  #handleResult(id: string, entry: Entry<Key>, lane: Lane, result: Result): void {
    this.#totals.worked++;
    const { again } = entry;
    entry.again = false;
    if ("error" in result) return this.#retry(id, entry, again, result.error);
    entry.failures = 0;
    lane.onProbation = false;
    if (again) this.#makeReady(id, entry);
    else if (!result.outcome.settled) this.#delay(id, entry, result.outcome.requeueAfterMs, true);
  }

  /** Ends the back-off of all keys that failed. What succeeded and asked for a time keeps it. */
  #retryFailed(): void {
    for (const [id, entry] of this.#entries) if (entry.failures > 0 && entry.delay !== undefined) this.#makeReady(id, entry);
  }

  #retry(id: string, entry: Entry<Key>, again: boolean, error: unknown): void {
    this.#totals.failed++;
    const isFinal = error instanceof Fault && error.final;
    // A final fault is about one object, and says nothing of its cluster.
    if (!isFinal) this.#laneFor(entry.lane).onProbation = true;
    const failures = ++entry.failures;
    const requeueAfterMs = again ? 0 : isFinal ? undefined : backoffMs(failures, this.#random, this.#backoff);
    if (requeueAfterMs !== undefined) this.#totals.retried++;
    this.#report({ key: id, error, failures, requeueAfterMs });
    if (again) this.#makeReady(id, entry);
    else if (requeueAfterMs !== undefined) this.#delay(id, entry, requeueAfterMs, false);
  }

  /** Drops idle keys and lanes. A failed key is kept until it succeeds or is dropped. */
  #cleanUp(id: string, entry: Entry<Key>): void {
    const isIdle = entry.readySince === undefined && entry.runningSince === undefined && entry.delay === undefined;
    if (isIdle && entry.failures === 0 && this.#entries.get(id) === entry) this.#entries.delete(id);
    const lane = this.#lanes.get(entry.lane);
    if (lane?.isIdle === true && !lane.onProbation) this.#lanes.delete(entry.lane);
  }
}

type Result = { readonly outcome: ReconcileResult } | { readonly error: unknown };

async function resultOf(work: () => Promise<ReconcileResult>): Promise<Result> {
  try {
    return { outcome: await work() };
  } catch (error) {
    return { error };
  }
}
