import { withTimeout } from "../../core/clock/index.ts";
import { LruCache } from "../../core/cache/index.ts";
import type { Cancel } from "../../core/clock/index.ts";
import { backoffMs, isNotFound, type Cluster } from "../../kube/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { RateLimiter } from "./rate-limiter.ts";
import type { RecordedEvent } from "./telemetry.ts";
import { eventObjectFor, eventName, eventNamespaceOf, recountPatch } from "./event-object.ts";

type EventRecorderOptions = {
  /** The `reportingInstance` of every Event. */
  readonly instance: string;
  /** Called for every Event that is written, or dropped and why. */
  readonly onResult?: (outcome: "written" | "limited" | "busy" | "failed", error?: unknown) => void;
  readonly signal: AbortSignal;
};

/** An Event and how much of its count is written. */
type Entry = {
  readonly key: string;
  about: KubeObject;
  readonly event: RecordedEvent;
  name: string;
  readonly firstMs: number;
  lastMs: number;
  count: number;
  writtenCount: number;
  writes: number;
  notBefore: number;
  isBusy: boolean;
  cancel: Cancel | undefined;
};

/** client-go's limit for one source and one object: 25 at once, then one every five minutes. */
const perObject = { burst: 25, refillMs: 300_000 };
const overall = { burst: 1000, refillMs: 100 };
/** The backoff of writes of a count. */
const recounting = { firstMs: 5_000, maxMs: 600_000 };
const maxEntries = 4096;
const maxWaiting = 1000;
const maxConcurrentWrites = 4;
const writeTimeoutMs = 10_000;

/**
 * Writes Kubernetes Events in the background. A new Event is written at once; a repeated one is counted, and its count is
 * written with growing delays. Too many Events, and Events for a cluster that is too slow, are dropped.
 */
export class EventRecorder {
  readonly #hub: Cluster;
  readonly #options: EventRecorderOptions;
  readonly #objectLimiter: RateLimiter;
  readonly #overallLimiter: RateLimiter;
  readonly #entries = new LruCache<string, Entry>({ maxEntries, onEvict: (_, entry) => settle(entry) });
  #waiting: Entry[] = [];
  #writing = 0;
  #serial = 0;

  constructor(hub: Cluster, options: EventRecorderOptions) {
    this.#hub = hub;
    this.#options = options;
    this.#objectLimiter = new RateLimiter(hub.clock, perObject, maxEntries);
    this.#overallLimiter = new RateLimiter(hub.clock, overall, 1);
    options.signal.addEventListener("abort", () => this.#forgetAll(), { once: true });
  }

  /** Gives whether the Event is the first of its kind, and will be written. */
  record(about: KubeObject, event: RecordedEvent): boolean {
    if (this.#options.signal.aborted) return false;
    const { kind, metadata } = about;
    const subject = metadata.uid ?? `${kind}/${metadata.namespace ?? ""}/${metadata.name}`;
    const key = JSON.stringify([subject, event.type, event.reason, event.message]);
    const entry = this.#entries.get(key) ?? this.#startSeries(key, subject, about, event);
    if (entry === undefined) return false;
    entry.about = about;
    entry.lastMs = this.#hub.clock.now();
    entry.count++;
    this.#entries.set(key, entry);
    this.#schedule(entry);
    return entry.count === 1;
  }

  #startSeries(key: string, subject: string, about: KubeObject, event: RecordedEvent): Entry | undefined {
    const firstMs = this.#hub.clock.now();
    if (!this.#objectLimiter.tryAccept(subject) || !this.#overallLimiter.tryAccept("")) {
      this.#options.onResult?.("limited");
      return undefined;
    }
    const empty = { count: 0, writtenCount: 0, writes: 0, notBefore: 0, isBusy: false, cancel: undefined };
    return { key, about, event, name: this.#nameFor(about), firstMs, lastMs: firstMs, ...empty };
  }

  #nameFor(about: KubeObject): string {
    return eventName(about, this.#hub.clock.now(), ++this.#serial);
  }

  /** Writes the entry now, or when its backoff is over. */
  #schedule(entry: Entry): void {
    if (entry.isBusy || entry.cancel !== undefined || entry.count === entry.writtenCount) return;
    const inMs = entry.notBefore - this.#hub.clock.now();
    if (inMs > 0) {
      entry.cancel = this.#hub.clock.after(inMs, () => this.#due(entry), { background: true });
      return;
    }
    if (this.#waiting.length >= maxWaiting) {
      this.#options.onResult?.("busy");
      return;
    }
    entry.isBusy = true;
    this.#waiting.push(entry);
    this.#pump();
  }

  #due(entry: Entry): void {
    entry.cancel = undefined;
    this.#schedule(entry);
  }

  #pump(): void {
    while (this.#writing < maxConcurrentWrites) {
      const entry = this.#waiting.shift();
      if (entry === undefined) return;
      this.#writing++;
      void this.#write(entry).finally(() => {
        this.#writing--;
        entry.isBusy = false;
        if (this.#options.signal.aborted) return;
        this.#schedule(entry);
        this.#pump();
      });
    }
  }

  async #write(entry: Entry): Promise<void> {
    const { count } = entry;
    const late = new Error("the write timed out");
    const { signal } = this.#options;
    try {
      await withTimeout(this.#hub.clock, writeTimeoutMs, late, (limited) => this.#send(entry, limited), { signal, background: true });
      entry.writtenCount = count;
      entry.writes++;
      entry.notBefore = this.#hub.clock.now() + backoffMs(entry.writes, this.#hub.random, recounting);
      this.#options.onResult?.("written");
    } catch (error) {
      if (this.#options.signal.aborted) return;
      this.#options.onResult?.("failed", error);
      // The next record of the same Event tries again.
      this.#forget(entry);
    }
  }

  async #send(entry: Entry, signal: AbortSignal): Promise<void> {
    const ref = { group: "", version: "v1", kind: "Event", namespace: eventNamespaceOf(entry.about), name: entry.name };
    if (entry.writtenCount > 0) {
      try {
        await this.#hub.patch(ref, { type: "merge", patch: recountPatch(entry) }, { signal });
        return;
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
      // Events are kept for an hour only.
      entry.name = this.#nameFor(entry.about);
    }
    await this.#hub.create(eventObjectFor(entry, this.#options.instance), { signal });
  }

  #forget(entry: Entry): void {
    settle(entry);
    this.#entries.delete(entry.key);
  }

  #forgetAll(): void {
    for (const entry of this.#entries.values()) entry.cancel?.();
    this.#entries.clear();
    this.#waiting = [];
  }
}

/** Nothing more of the entry is written. */
function settle(entry: Entry): void {
  entry.cancel?.();
  entry.count = entry.writtenCount;
}
