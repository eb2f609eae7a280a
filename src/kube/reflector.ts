import { Fault } from "../core/fault/index.ts";
import { sleep } from "../core/clock/index.ts";
import type { GroupVersionKind, KubeObject } from "../core/object/index.ts";
import { ApiFault, isGone, isTooLargeResourceVersion } from "./api-fault.ts";
import { backoffMs } from "./backoff.ts";
import type { Cluster } from "./cluster.ts";
import { isNotServed } from "./connect.ts";
import { ConnectionFault } from "./connection-fault.ts";
import { isUnknownKind, UnknownKind } from "./resource.ts";
import type { Selection } from "./selection.ts";
import { waitForKind } from "./wait-for-kind.ts";
import type { ObjectChange, ObjectStore } from "./object-store.ts";
import type { WatchEvent } from "./watch.ts";

/**
 * An event of an informer. `synced`: all existing objects have been emitted. `interrupted`: the informer has an error
 * and keeps retrying.
 */
export type InformerEvent = ObjectChange | { readonly type: "synced" } | { readonly type: "interrupted"; readonly because: Fault };

/** Models client-go tools/cache/reflector.go minWatchTimeout: between five and ten minutes, so that not all watches end at once. */
const minWatchSeconds = 300;
/** A stream that exceeds its time by this much is held open by something else than the API server. */
const overdueSeconds = 30;

/**
 * Keeps a store in sync with the cluster: lists, watches from there, resumes after the last event, and lists again when
 * events may have been missed. The store diffs every list against its content, so no change is lost or emitted twice.
 * Models client-go tools/cache/reflector.go
 */
export class Reflector {
  readonly #cluster: Cluster;
  readonly #gvk: GroupVersionKind;
  readonly #selection: Selection;
  readonly #store: ObjectStore;
  readonly #emit: (changes: readonly InformerEvent[]) => void;
  #syncedVersion: string | undefined;
  /** The last stream ended early, or connections did. The server may have been replaced by one with another history. */
  #mustVerify = false;
  #failures = 0;
  /** `interrupted` was emitted, and neither a list nor a watch has succeeded since. */
  #isInterrupted = false;
  /** Whether the pages of the next list are emitted as they arrive. */
  #byPage: boolean;

  constructor(
    cluster: Cluster,
    gvk: GroupVersionKind,
    { byPage, ...selection }: Selection & { readonly byPage: boolean },
    store: ObjectStore,
    emit: (changes: readonly InformerEvent[]) => void,
  ) {
    this.#cluster = cluster;
    this.#gvk = gvk;
    this.#selection = selection;
    this.#byPage = byPage;
    this.#store = store;
    this.#emit = emit;
  }

  /** The resourceVersion up to which the store is complete. Undefined when it is not known. */
  get lastSyncResourceVersion(): string | undefined {
    return this.#syncedVersion;
  }

  /** Runs until the signal aborts. Throws only errors that no retry can fix. */
  async run(signal: AbortSignal): Promise<void> {
    this.#syncedVersion = undefined;
    while (!signal.aborted) {
      try {
        await this.#step(signal);
      } catch (error) {
        if (signal.aborted) return;
        await this.#recover(error, signal).catch((fault: unknown) => {
          if (!signal.aborted) throw fault;
        });
      }
    }
  }

  async #step(signal: AbortSignal): Promise<void> {
    const lost = this.#cluster.lostConnections();
    if (this.#syncedVersion !== undefined && this.#mustVerify) await this.#verify(this.#syncedVersion, signal);
    if (this.#syncedVersion === undefined) await this.#list(signal);
    this.#mustVerify = false;
    await this.#watch(this.#syncedVersion ?? "", lost, signal);
  }

  async #list(signal: AbortSignal): Promise<void> {
    const { transform } = this.#store;
    const onPage = (objects: readonly KubeObject[]) => this.#emit(this.#store.putListed(objects));
    const options = { ...this.#selection, transform, signal, ...(this.#byPage ? { onPage } : {}) };
    const { items, resourceVersion } = await this.#cluster.list(this.#gvk, options);
    signal.throwIfAborted();
    // Later lists are of what is known already: they change it at once.
    this.#byPage = false;
    this.#syncedVersion = resourceVersion;
    this.#isInterrupted = false;
    this.#emit([...this.#store.replace(items), { type: "synced" }]);
  }

  /** `lost`: the number of ended connections when the server was last known to match the store. */
  async #watch(since: string, lost: number, signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#cluster;
    const timeoutSeconds = Math.round(minWatchSeconds * (1 + random()));
    const endsAt = clock.now() + timeoutSeconds * 1000;
    const overdue = new AbortController();
    const late = new Fault("the server did not end the watch when it should have");
    const cancel = clock.after((timeoutSeconds + overdueSeconds) * 1000, () => overdue.abort(late), { background: true });
    this.#mustVerify = true;
    let hadEvents = false;
    try {
      const options = { resourceVersion: since, timeoutSeconds, signal: AbortSignal.any([signal, overdue.signal]) };
      const stream = await this.#cluster.openWatch(this.#gvk, { ...this.#selection, ...options });
      if (this.#cluster.lostConnections() !== lost) throw new ConnectionFault("the connection broke before the watch began");
      this.#resume();
      for await (const events of stream) {
        signal.throwIfAborted();
        hadEvents = true;
        this.#failures = 0;
        if (!this.#apply(events)) return;
      }
    } finally {
      cancel();
      overdue.abort(late); // closes the stream, however it ended
    }
    const isEarly = clock.now() < endsAt - 1000;
    // A stream may end in its time although its server went away, as when the program was busy at the moment.
    this.#mustVerify = isEarly || this.#cluster.lostConnections() !== lost;
    if (!isEarly) this.#failures = 0;
    else if (!hadEvents) await sleep(clock, backoffMs(++this.#failures, random), signal);
  }

  /** Applies events to the store. Returns false when they do not follow from its content: then a list is needed. */
  #apply(events: readonly WatchEvent[]): boolean {
    const changes: ObjectChange[] = [];
    let follows = true;
    for (const { type, object } of events) {
      follows = this.#follows(type, object);
      if (!follows) break;
      this.#syncedVersion = object.metadata.resourceVersion ?? this.#syncedVersion;
      if (type === "DELETED") changes.push(...this.#store.drop(object));
      else if (type !== "BOOKMARK") changes.push(...this.#store.put(object));
    }
    if (!follows) this.#syncedVersion = undefined;
    if (changes.length > 0) this.#emit(changes);
    return follows;
  }

  #follows(type: WatchEvent["type"], object: KubeObject): boolean {
    if (isOlderResourceVersion(object.metadata.resourceVersion, this.#syncedVersion)) return false;
    if (type !== "DELETED") return true;
    const known = this.#store.find(object.metadata.namespace ?? "", object.metadata.name);
    return known === undefined || known.metadata.uid === object.metadata.uid;
  }

  /**
   * Verifies the store after a broken stream: the server may have been restored or replaced, and its watch could miss
   * changes. Lists at the same resourceVersion, from which the watch continues. When that is not available, a full list
   * follows.
   */
  async #verify(seen: string, signal: AbortSignal): Promise<void> {
    if (seen === "" || (await this.#isBehind(seen, signal))) {
      this.#syncedVersion = undefined;
      return;
    }
    try {
      const moment = { resourceVersion: seen, resourceVersionMatch: "Exact" } as const;
      const { transform } = this.#store;
      const { items, resourceVersion } = await this.#cluster.list(this.#gvk, { ...this.#selection, ...moment, transform, signal });
      signal.throwIfAborted();
      this.#syncedVersion = resourceVersion; // a server without exact lists returns the current state
      const changes = this.#store.replace(items);
      if (changes.length > 0) this.#emit(changes);
    } catch (error) {
      if (!(error instanceof ApiFault) || (!error.final && !isGone(error) && !isTooLargeResourceVersion(error))) throw error;
      this.#syncedVersion = undefined;
    }
  }

  /** Whether the server's data is older than the store's. */
  async #isBehind(seen: string, signal: AbortSignal): Promise<boolean> {
    for await (const { resourceVersion } of this.#cluster.pages(this.#gvk, { ...this.#selection, limit: 1, signal })) {
      return isOlderResourceVersion(resourceVersion, seen);
    }
    return true;
  }

  async #recover(error: unknown, signal: AbortSignal): Promise<void> {
    if (isGone(error) || isTooLargeResourceVersion(error)) {
      this.#syncedVersion = undefined;
      // Once is normal. A server that rejects every new list gets a pause.
      if (++this.#failures > 1) await this.#pause(signal);
      return;
    }
    if (isUnknownKind(error) || isNotServed(error)) return this.#waitForKind(error, signal);
    if (!(error instanceof Fault) || (error instanceof ApiFault && error.final)) throw error;
    this.#interrupt(error);
    this.#failures++;
    await this.#pause(signal);
  }

  #interrupt(because: Fault): void {
    this.#isInterrupted = true;
    this.#emit([{ type: "interrupted", because }]);
  }

  /** A watch has started: the store is valid again. */
  #resume(): void {
    if (!this.#isInterrupted) return;
    this.#isInterrupted = false;
    this.#emit([{ type: "synced" }]);
  }

  #pause(signal: AbortSignal): Promise<void> {
    return this.#cluster.backOff(backoffMs(Math.max(1, this.#failures), this.#cluster.random), signal);
  }

  /** Without its kind no object can exist: when the kind is gone for certain, the store is emptied. */
  async #waitForKind(error: unknown, signal: AbortSignal): Promise<void> {
    if (!(await this.#isKindGone())) {
      // The kind exists, or discovery failed: no reason to drop the objects.
      this.#interrupt(error as Fault);
      this.#failures++;
      return this.#pause(signal);
    }
    this.#syncedVersion = undefined;
    this.#emit([...this.#store.replace([]), { type: "interrupted", because: new UnknownKind(this.#gvk) }]);
    await waitForKind(this.#cluster, this.#gvk, signal);
  }

  async #isKindGone(): Promise<boolean> {
    try {
      return (await this.#cluster.discovery.find(this.#gvk)) === undefined;
    } catch {
      return false; // discovery failed too
    }
  }
}

/** Compares numeric resourceVersions, which all servers use. Returns false for others. */
export function isOlderResourceVersion(version: string | undefined, than: string | undefined): boolean {
  if (version === undefined || than === undefined || !/^\d+$/.test(version) || !/^\d+$/.test(than)) return false;
  return version.length === than.length ? version < than : version.length < than.length;
}
