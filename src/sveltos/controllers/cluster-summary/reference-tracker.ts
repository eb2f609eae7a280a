import type { ReadReference } from "../../deploy/index.ts";
import type { ObjectChange } from "../../../kube/index.ts";
import { keyOf, refOf, type GroupVersionKind, type KubeObject, type ObjectRef } from "../../../core/object/index.ts";
import type { ControllerContext } from "../context/index.ts";
import { summaryIdentity, type SummaryKey } from "./summary-key.ts";

/** The reads of one reconcile of a ClusterSummary. */
type ReferencePass = {
  readonly read: ReadReference;
  /** Ends the pass: references that it has not read are forgotten. */
  commit(): void;
};

type Reader = { readonly key: SummaryKey; readonly version: string | undefined };

/**
 * Tracks which objects of the management cluster each ClusterSummary has read, to requeue it when one of them changes.
 * Names of references may be templates, so they are known only by reading. ConfigMaps and Secrets are read from the cache.
 */
export class ReferenceTracker {
  readonly #context: ControllerContext;
  readonly #signal: AbortSignal;
  readonly #enqueue: (key: SummaryKey) => void;
  readonly #watchFailed: (error: unknown) => void;
  /** By object: its readers by identity, each with the version that it has seen. */
  readonly #readers = new Map<string, Map<string, Reader>>();
  /** By reader: the objects that it has read. */
  readonly #read = new Map<string, Set<string>>();
  readonly #watched = new Set<string>();
  readonly #watching = new Set<Promise<void>>();

  /**
   * `enqueue` gets the readers of a changed object of any other kind than ConfigMap and Secret, `watchFailed` the errors
   * of kinds that may not be watched.
   */
  constructor(context: ControllerContext, enqueue: (key: SummaryKey) => void, watchFailed: (error: unknown) => void, signal: AbortSignal) {
    this.#watchFailed = watchFailed;
    this.#context = context;
    this.#enqueue = enqueue;
    this.#signal = signal;
  }

  track(key: SummaryKey): ReferencePass {
    const current = new Set<string>();
    const read: ReadReference = async (ref, { signal }) => {
      // Recorded before the read, so that no change in between is missed.
      for (const name of namesOf(ref)) this.#record(key, name, undefined, current);
      const found = await this.#find(ref, signal);
      if (found !== undefined) this.#record(key, keyOf(refOf(found)), found.metadata.resourceVersion, current);
      return found;
    };
    return { read, commit: () => this.#keepOnly(key, current) };
  }

  forget(key: SummaryKey): void {
    this.#keepOnly(key, new Set());
  }

  /** The ClusterSummaries that have read the changed object in another version. */
  *readersOf({ type, object }: ObjectChange): Iterable<SummaryKey> {
    const version = type === "deleted" ? undefined : object.metadata.resourceVersion;
    const readers = this.#readers.get(keyOf(refOf(object)))?.values() ?? [];
    for (const reader of readers) if (version === undefined || reader.version !== version) yield reader.key;
  }

  /** Resolves when all watches have ended, after the signal has aborted. */
  async drained(): Promise<void> {
    await Promise.all(this.#watching);
  }

  #record(key: SummaryKey, name: string, version: string | undefined, current: Set<string>): void {
    const id = summaryIdentity(key);
    current.add(name);
    let readers = this.#readers.get(name);
    if (readers === undefined) this.#readers.set(name, (readers = new Map()));
    readers.set(id, { key, version });
    const read = this.#read.get(id);
    if (read === undefined) this.#read.set(id, new Set([name]));
    else read.add(name);
  }

  #keepOnly(key: SummaryKey, current: ReadonlySet<string>): void {
    const id = summaryIdentity(key);
    for (const name of this.#read.get(id) ?? []) {
      if (current.has(name)) continue;
      const readers = this.#readers.get(name);
      readers?.delete(id);
      if (readers?.size === 0) this.#readers.delete(name);
    }
    if (current.size === 0) this.#read.delete(id);
    else this.#read.set(id, new Set(current));
  }

  /** Asks the API server for what the cache does not have: the cache may lag behind a write. */
  async #find(ref: ObjectRef, signal: AbortSignal): Promise<KubeObject | undefined> {
    const { cache, hub } = this.#context;
    if (isContent(ref)) return cache.find(ref, ref.namespace, ref.name) ?? hub.find(ref, { signal });
    this.#watch(ref);
    return hub.find(ref, { signal });
  }

  #watch({ group, version, kind }: GroupVersionKind): void {
    const name = `${group}/${version}/${kind}`;
    if (this.#watched.has(name) || this.#signal.aborted) return;
    this.#watched.add(name);
    const watching = this.#enqueueReaders({ group, version, kind }).finally(() => {
      this.#watched.delete(name);
      this.#watching.delete(watching);
    });
    this.#watching.add(watching);
  }

  /** A kind that may not be watched is still read in every reconcile. */
  async #enqueueReaders(kind: GroupVersionKind): Promise<void> {
    try {
      for await (const change of this.#context.cache.informerFor(kind)) {
        if (this.#signal.aborted) return;
        if (change.type === "synced" || change.type === "interrupted") continue;
        for (const key of this.readersOf(change)) this.#enqueue(key);
      }
    } catch (error) {
      if (!this.#signal.aborted) this.#watchFailed(error);
    }
  }
}

function isContent({ group, kind }: GroupVersionKind): boolean {
  return group === "" && (kind === "ConfigMap" || kind === "Secret");
}

/** An object may be cluster-scoped although its reference names a namespace. */
function namesOf(ref: ObjectRef): readonly string[] {
  return isContent(ref) || ref.namespace === "" ? [keyOf(ref)] : [keyOf(ref), keyOf({ ...ref, namespace: "" })];
}
