import type { Cancel } from "../../core/clock/index.ts";
import { isNotFound, type Cluster } from "../../kube/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { backoffMs } from "../../reconcile/index.ts";
import { Allowances } from "./allowance.ts";
import type { Happening } from "./chronicle.ts";
import { eventFor, eventName, placeOf, recount } from "./event-object.ts";

export type EventWriterOptions = {
  /** Names this process in every Event. */
  readonly instance: string;
  /** Told of what was written, and of what was not and why. */
  readonly told?: (outcome: "written" | "limited" | "busy" | "failed", error?: unknown) => void;
  readonly signal: AbortSignal;
};

/** Something that was said, and how far it is written. */
type Entry = {
  readonly key: string;
  about: KubeObject;
  readonly happening: Happening;
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
const perObject = { burst: 25, everyMs: 300_000 };
const inAll = { burst: 1000, everyMs: 100 };
/** How soon a count is written again. */
const recounting = { firstMs: 5_000, mostMs: 600_000 };
const mostEntries = 4096;
const mostWaiting = 1000;
const atOnce = 4;
const longestWriteMs = 10_000;

/**
 * Writes Kubernetes Events in the background. The first time something is said it is written at once; said again it is
 * counted, and the count is written later and later. Said too often, of too many objects, or to a cluster that is too
 * slow, it is dropped.
 */
export class EventWriter {
  readonly #hub: Cluster;
  readonly #options: EventWriterOptions;
  readonly #ofObject: Allowances;
  readonly #ofAll: Allowances;
  readonly #entries = new Map<string, Entry>();
  #waiting: Entry[] = [];
  #writing = 0;
  #serial = 0;

  constructor(hub: Cluster, options: EventWriterOptions) {
    this.#hub = hub;
    this.#options = options;
    this.#ofObject = new Allowances(hub.clock, perObject, mostEntries);
    this.#ofAll = new Allowances(hub.clock, inAll, 1);
    options.signal.addEventListener("abort", () => this.#forgetAll(), { once: true });
  }

  note(about: KubeObject, happening: Happening): void {
    if (this.#options.signal.aborted) return;
    const { kind, metadata } = about;
    const subject = metadata.uid ?? `${kind}/${metadata.namespace ?? ""}/${metadata.name}`;
    const key = JSON.stringify([subject, happening.type, happening.reason, happening.message]);
    const entry = this.#entries.get(key) ?? this.#begun(key, subject, about, happening);
    if (entry === undefined) return;
    entry.about = about;
    entry.lastMs = this.#hub.clock.now();
    entry.count++;
    // Who was heard of last is forgotten last.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    this.#schedule(entry);
  }

  #begun(key: string, subject: string, about: KubeObject, happening: Happening): Entry | undefined {
    const firstMs = this.#hub.clock.now();
    if (!this.#ofObject.take(subject) || !this.#ofAll.take("")) {
      this.#options.told?.("limited");
      return undefined;
    }
    const [oldest] = this.#entries.values();
    if (oldest !== undefined && this.#entries.size >= mostEntries) this.#forget(oldest);
    const empty = { count: 0, writtenCount: 0, writes: 0, notBefore: 0, isBusy: false, cancel: undefined };
    return { key, about, happening, name: this.#nameFor(about), firstMs, lastMs: firstMs, ...empty };
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
    if (this.#waiting.length >= mostWaiting) {
      this.#options.told?.("busy");
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
    while (this.#writing < atOnce) {
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
    const cancel = this.#hub.clock.after(longestWriteMs, () => late.abort(new Error("it takes too long")), { background: true });
    try {
      await this.#send(entry, AbortSignal.any([late.signal, this.#options.signal]));
      entry.writtenCount = count;
      entry.writes++;
      entry.notBefore = this.#hub.clock.now() + backoffMs(entry.writes, this.#hub.random, recounting);
      this.#options.told?.("written");
    } catch (error) {
      if (this.#options.signal.aborted) return;
      this.#options.told?.("failed", error);
      // Whoever says it again tries again.
      this.#forget(entry);
    } finally {
      cancel();
    }
  }

  async #send(entry: Entry, signal: AbortSignal): Promise<void> {
    const ref = { group: "", version: "v1", kind: "Event", namespace: placeOf(entry.about), name: entry.name };
    if (entry.writtenCount > 0) {
      try {
        await this.#hub.patch(ref, { type: "merge", patch: recount(entry) }, { signal });
        return;
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
      // Events are kept for an hour only.
      entry.name = this.#nameFor(entry.about);
    }
    await this.#hub.create(eventFor(entry, this.#options.instance), { signal });
  }

  #forget(entry: Entry): void {
    entry.cancel?.();
    entry.count = entry.writtenCount;
    this.#entries.delete(entry.key);
  }

  #forgetAll(): void {
    for (const entry of this.#entries.values()) entry.cancel?.();
    this.#entries.clear();
    this.#waiting = [];
  }
}
