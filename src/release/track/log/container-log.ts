import { isForbidden, isNotFound, isTransient, backoffMs, type Backoff } from "../../../kube/index.ts";
import type { ContainerRun } from "./container-run.ts";
import type { LogBuffer } from "./log-buffer.ts";
import { LogCursor } from "./log-cursor.ts";
import type { LogFollower } from "./log-follower.ts";

/** Where a log is, and what is wanted of it. */
export type LogTarget = {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  /** Lines from before are not read. Default: all are. */
  readonly sinceTime?: string;
  readonly isWanted: (line: string) => boolean;
};

/** How far a run has been read. */
type RunReading = { -readonly [Field in keyof ContainerRun]: ContainerRun[Field] } & {
  readonly cursor: LogCursor;
  isRead: boolean;
  /** It goes on, and is read as far as it has written by now. */
  isLast: boolean;
};

const maxLineBytes = 4_096;
const maxFailures = 5;
const retryBackoff: Backoff = { firstMs: 500, maxMs: 4_000 };
/** A stream ends a moment before the status says that its container has. When none does, the stream broke. */
const reopenBackoff: Backoff = { firstMs: 5_000, maxMs: 60_000 };

/** Follows the log of one container through its runs, one after the other, and reads every line once. */
export class ContainerLog {
  readonly #follower: LogFollower;
  readonly #target: LogTarget;
  readonly #buffer: LogBuffer;
  /** Oldest first. */
  readonly #runs = new Map<string, RunReading>();
  #reader: Promise<void> | undefined;
  #stream: { readonly run: RunReading; readonly controller: AbortController } | undefined;
  #isFollowing = true;
  /** Why it could not be read, the last time that was tried. */
  #failure: string | undefined;
  /** Ends a pause, when it has become pointless. */
  #wake: () => void = () => undefined;

  constructor(follower: LogFollower, target: LogTarget, buffer: LogBuffer) {
    this.#follower = follower;
    this.#target = target;
    this.#buffer = buffer;
  }

  /** Takes in what the status of the pod says, and reads what is new. */
  observe(runs: readonly ContainerRun[]): void {
    this.#isFollowing = true;
    for (const run of this.#runs.values()) run.isLast = false;
    for (const run of runs) {
      const known = this.#runs.get(run.id);
      if (known === undefined) this.#runs.set(run.id, { ...run, cursor: new LogCursor(), isRead: false, isLast: false });
      else Object.assign(known, { previous: run.previous, ended: known.ended || run.ended });
    }
    // The log of a run before the last two cannot be asked for. A stream of it goes on to its end.
    const ids = new Set(runs.map(({ id }) => id));
    for (const run of this.#runs.values()) if (ids.size > 0 && !ids.has(run.id)) run.isRead = true;
    this.#wake();
    this.read();
  }

  /** Its pod has been deleted: a stream of its log goes on to its end. */
  endRuns(): void {
    for (const run of this.#runs.values()) run.ended = true;
    this.#wake();
  }

  /** Reads on, as far as there is something to read and a stream is free. */
  read(): void {
    if (this.#nextRun() !== undefined) this.#reader ??= this.#readRuns();
  }

  /**
   * Reads the runs that have ended to their end, and the others as far as they have written by now. When the signal aborts
   * before that, it stops and returns what is to be said about it.
   */
  async finish(signal: AbortSignal): Promise<string | undefined> {
    let because: string | undefined;
    this.#isFollowing = false;
    this.#follower.forget(this);
    for (const run of this.#runs.values()) run.isLast = !run.ended;
    // A stream that has just been opened may have sent nothing yet.
    if (this.#stream?.run.isLast === true) this.#stream.controller.abort();
    this.#wake();
    this.read();
    const abort = () => {
      if (this.#nextRun() !== undefined) because = this.#failure ?? "the rest of its log was not read in time";
      for (const run of this.#runs.values()) run.isRead = true;
      this.#stream?.controller.abort();
      this.#wake();
    };
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    while (this.#reader !== undefined) await this.#reader;
    signal.removeEventListener("abort", abort);
    return because;
  }

  note(because: string): void {
    this.#buffer.note(because);
  }

  /** The first run that has lines to read. */
  #nextRun(): RunReading | undefined {
    return [...this.#runs.values()].find((run) => this.#isReadable(run));
  }

  #isReadable({ isRead, ended, isLast }: RunReading): boolean {
    return !isRead && (ended || isLast || this.#isFollowing) && !this.#follower.signal.aborted;
  }

  async #readRuns(): Promise<void> {
    for (let run = this.#nextRun(); run !== undefined; run = this.#nextRun()) {
      const hasStream = await this.#readRun(run);
      if (!hasStream && isFollowed(run) && !this.#follower.hasRoom) break;
    }
    this.#reader = undefined;
  }

  /** Reads a run to its end. Returns false when there is no stream for it yet. */
  async #readRun(run: RunReading): Promise<boolean> {
    const { cluster } = this.#follower;
    let [failures, empty] = [0, 0];
    while (this.#isReadable(run)) {
      const { ended, isLast } = run;
      try {
        const pass = () => this.#pass(run);
        const count = await (isFollowed(run) ? this.#follower.follow(this, pass) : this.#follower.read(pass));
        if (count === undefined) return this.#crowded();
        if (count > 0) [failures, empty] = [0, 0];
        this.#failure = undefined;
        run.isRead ||= ended;
        if (isLast) run.isLast = false;
        await this.#pause(backoffMs(++empty, cluster.random, reopenBackoff), () => isFollowed(run) && this.#isReadable(run));
      } catch (error) {
        if (!this.#isReadable(run)) continue;
        if (this.#isFinal(run, error, ++failures)) run.isRead = true;
        await this.#pause(backoffMs(failures, cluster.random, retryBackoff), () => this.#isReadable(run));
      }
    }
    return true;
  }

  #crowded(): false {
    if (this.#follower.isNews("crowded"))
      this.#buffer.note(
        `${this.#follower.maxStreams} logs are followed at once: the others are read when one of them, or their container, has ended`,
      );
    return false;
  }

  /** Tells whether an error ends the reading of a run. What is worth knowing is noted. */
  #isFinal(run: RunReading, error: unknown, failures: number): boolean {
    const { namespace } = this.#target;
    if (isForbidden(error)) {
      if (this.#follower.isNews(refusalOf(namespace)))
        this.#buffer.note(`${messageOf(error)}: no logs of namespace ${namespace} are shown, and the rest goes on`);
      return true;
    }
    // The pod is gone, and its log with it. A log that is no longer there is a bad request, and so is one that is not there yet.
    if (isNotFound(error) || (!isFollowed(run) && !isTransient(error))) return true;
    this.#failure = `${messageOf(error)}: its log is not read on`;
    if (failures <= maxFailures) return false;
    this.#buffer.note(this.#failure);
    return true;
  }

  /** Reads the log once, to the end of its stream. Returns how many new lines there were. */
  async #pass(run: RunReading): Promise<number> {
    const { namespace, pod, container, isWanted } = this.#target;
    const { cluster, signal, conceal } = this.#follower;
    if (this.#follower.isKnown(refusalOf(namespace))) run.isRead = true;
    if (!this.#isReadable(run)) return 0;
    const controller = new AbortController();
    this.#stream = { run, controller };
    const sinceTime = run.cursor.sinceTime ?? this.#target.sinceTime;
    run.cursor.reopen();
    let count = 0;
    try {
      for await (const line of cluster.logs(namespace, pod, {
        container,
        timestamps: true,
        maxLineBytes,
        ...(isFollowed(run) ? { follow: true, wholeLines: true } : {}),
        ...(run.previous ? { previous: true } : {}),
        ...(sinceTime === undefined ? {} : { sinceTime }),
        signal: AbortSignal.any([signal, controller.signal]),
      })) {
        const read = run.cursor.next(line);
        if (read === undefined) continue;
        count++;
        if (isWanted(read.text)) this.#buffer.push({ ...read, text: conceal(read.text) });
      }
    } catch (error) {
      if (!controller.signal.aborted) throw error;
    } finally {
      this.#stream = undefined;
    }
    return count;
  }

  /** Waits for a while, unless that is pointless or becomes so. */
  async #pause(ms: number, isOfUse: () => boolean): Promise<void> {
    if (!isOfUse()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const { cluster, signal } = this.#follower;
    const cancel = cluster.clock.after(ms, resolve, { background: true });
    const wake = () => (isOfUse() ? undefined : resolve());
    this.#wake = wake;
    signal.addEventListener("abort", wake, { once: true });
    await promise;
    signal.removeEventListener("abort", wake);
    cancel();
  }
}

function isFollowed({ ended, isLast }: RunReading): boolean {
  return !ended && !isLast;
}

function refusalOf(namespace: string): string {
  return `refused in ${namespace}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
