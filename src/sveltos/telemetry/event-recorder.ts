import { LruCache } from "../../core/cache/index.ts";
import type { Cancel } from "../../core/clock/index.ts";
import { backoffMs, isNotFound, type Cluster } from "../../kube/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { RateLimiter } from "./rate-limiter.ts";
import type { RecordedEvent } from "./telemetry.ts";
import { eventObjectFor, eventName, eventNamespaceOf, recountPatch } from "./event-object.ts";

export type EventRecorderOptions = {
  /** Names this process in every Event. */
  readonly instance: string;
  /** Told of what was written, and of what was not and why. */
  readonly onResult?: (outcome: "written" | "limited" | "busy" | "failed", error?: unknown) => void;
  readonly signal: AbortSignal;
};

/** Something that was said, and how far it is written. */
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

/** As client-go limits what one source says of one object: 25 at once, then one every five minutes. */
const perObject = { burst: 25, refillMs: 300_000 };
const overall = { burst: 1000, refillMs: 100 };
/** How soon a count is written again. */
const recounting = { firstMs: 5_000, maxMs: 600_000 };
const maxEntries = 4096;
const maxWaiting = 1000;
const maxConcurrentWrites = 4;
const writeTimeoutMs = 10_000;

/**
 * Writes Kubernetes Events in the background. The first time something is said it is written at once; said again it is
 * counted, and the count is written later and later. Said too often, of too many objects, or to a cluster that is too
 * slow, it is dropped.
 */
export class EventRecorder {
  readonly #hub: Cluster;
  readonly #options: EventRecorderOptions;
  readonly #ofObject: RateLimiter;
  readonly #ofAll: RateLimiter;
  readonly #entries = new LruCache<string, Entry>({ maxEntries, onEvict: (_, entry) => settle(entry) });
  #waiting: Entry[] = [];
  #writing = 0;
  #serial = 0;

  constructor(hub: Cluster, options: EventRecorderOptions) {
    this.#hub = hub;
    this.#options = options;
    this.#ofObject = new RateLimiter(hub.clock, perObject, maxEntries);
    this.#ofAll = new RateLimiter(hub.clock, overall, 1);
    options.signal.addEventListener("abort", () => this.#forgetAll(), { once: true });
  }

  record(about: KubeObject, event: RecordedEvent): void {
    if (this.#options.signal.aborted) return;
    const { kind, metadata } = about;
    const subject = metadata.uid ?? `${kind}/${metadata.namespace ?? ""}/${metadata.name}`;
    const key = JSON.stringify([subject, event.type, event.reason, event.message]);
    const entry = this.#entries.get(key) ?? this.#begun(key, subject, about, event);
    if (entry === undefined) return;
    entry.about = about;
    entry.lastMs = this.#hub.clock.now();
    entry.count++;
    this.#entries.set(key, entry);
    this.#schedule(entry);
  }

  #begun(key: string, subject: string, about: KubeObject, event: RecordedEvent): Entry | undefined {
    const firstMs = this.#hub.clock.now();
    if (!this.#ofObject.tryAccept(subject) || !this.#ofAll.tryAccept("")) {
      this.#options.onResult?.("limited");
      return undefined;
    }
    const empty = { count: 0, writtenCount: 0, writes: 0, notBefore: 0, isBusy: false, cancel: undefined };
    return { key, about, event, name: this.#nameFor(about), firstMs, lastMs: firstMs, ...empty };
  }

  #nameFor(about: KubeObject): string {
    return eventName(about, this.#hub.clock.now(), ++this.#serial);
  }

  /** Sees to it that what was said is written, now or when it is time. */
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
    const late = new AbortController();
    const cancel = this.#hub.clock.after(writeTimeoutMs, () => late.abort(new Error("it takes too long")), { background: true });
    try {
      await this.#send(entry, AbortSignal.any([late.signal, this.#options.signal]));
      entry.writtenCount = count;
      entry.writes++;
      entry.notBefore = this.#hub.clock.now() + backoffMs(entry.writes, this.#hub.random, recounting);
      this.#options.onResult?.("written");
    } catch (error) {
      if (this.#options.signal.aborted) return;
      this.#options.onResult?.("failed", error);
      // Whoever says it again tries again.
      this.#forget(entry);
    } finally {
      cancel();
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
