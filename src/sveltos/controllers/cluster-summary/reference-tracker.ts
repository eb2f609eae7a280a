import type { ReadReference } from "../../deploy/index.ts";
import type { ObjectChange } from "../../../kube/index.ts";
import { keyOf, refOf, type GroupVersionKind, type KubeObject, type ObjectRef } from "../../../core/object/index.ts";
import type { ControllerContext } from "../context/index.ts";

export const configMapKind = { group: "", version: "v1", kind: "ConfigMap" };
export const secretKind = { group: "", version: "v1", kind: "Secret" };

/** One pass over what a ClusterSummary refers to. */
export type ReferencePass = {
  readonly read: ReadReference;
  /** All has been read: what was referred to before and is no longer does not matter any more. */
  commit(): void;
};

/**
 * What each ClusterSummary has read of the management cluster, and so who is concerned when something changes there.
 * Names may be templates, so only reading tells. ConfigMaps and Secrets are read from copies.
 */
export class ReferenceTracker {
  readonly #desk: ControllerContext;
  readonly #signal: AbortSignal;
  readonly #concerned: (key: string) => void;
  readonly #refused: (error: unknown) => void;
  /** By what is referred to: who does, and which version each has seen. */
  readonly #readers = new Map<string, Map<string, string | undefined>>();
  /** By who reads: all that it may be concerned by. */
  readonly #read = new Map<string, Set<string>>();
  readonly #followed = new Set<string>();
  readonly #following = new Set<Promise<void>>();

  /**
   * `concerned` is told of whom a change of another kind than ConfigMap and Secret concerns, `refused` of kinds that may
   * not be watched.
   */
  constructor(context: ControllerContext, concerned: (key: string) => void, refused: (error: unknown) => void, signal: AbortSignal) {
    this.#refused = refused;
    this.#desk = context;
    this.#concerned = concerned;
    this.#signal = signal;
  }

  track(key: string): ReferencePass {
    const now = new Set<string>();
    const read: ReadReference = async (ref, { signal }) => {
      // Noted before it is read, so that no change in between is missed.
      for (const name of namesOf(ref)) this.#note(key, name, undefined, now);
      const found = await this.#look(ref, signal);
      if (found !== undefined) this.#note(key, keyOf(refOf(found)), found.metadata.resourceVersion, now);
      return found;
    };
    return { read, commit: () => this.#keep(key, now) };
  }

  forget(key: string): void {
    this.#keep(key, new Set());
  }

  /** Whom a change concerns: those who have read it, and not in that very version. */
  *readersOf({ type, object }: ObjectChange): Iterable<string> {
    const version = type === "deleted" ? undefined : object.metadata.resourceVersion;
    for (const [key, seen] of this.#readers.get(keyOf(refOf(object))) ?? []) if (version === undefined || seen !== version) yield key;
  }

  /** Resolves when nothing is followed any more: after the signal has aborted. */
  async drained(): Promise<void> {
    await Promise.all(this.#following);
  }

  #note(key: string, name: string, version: string | undefined, now: Set<string>): void {
    now.add(name);
    let readers = this.#readers.get(name);
    if (readers === undefined) this.#readers.set(name, (readers = new Map()));
    readers.set(key, version);
    const read = this.#read.get(key);
    if (read === undefined) this.#read.set(key, new Set([name]));
    else read.add(name);
  }

  #keep(key: string, now: ReadonlySet<string>): void {
    for (const name of this.#read.get(key) ?? []) {
      if (now.has(name)) continue;
      const readers = this.#readers.get(name);
      readers?.delete(key);
      if (readers?.size === 0) this.#readers.delete(name);
    }
    if (now.size === 0) this.#read.delete(key);
    else this.#read.set(key, new Set(now));
  }

  /** A copy may not have heard of what was written a moment ago: that something is not there is asked for. */
  async #look(ref: ObjectRef, signal: AbortSignal): Promise<KubeObject | undefined> {
    const { cache, hub } = this.#desk;
    if (isContent(ref)) return cache.find(ref, ref.namespace, ref.name) ?? hub.find(ref, { signal });
    this.#follow(ref);
    return hub.find(ref, { signal });
  }

  #follow({ group, version, kind }: GroupVersionKind): void {
    const name = `${group}/${version}/${kind}`;
    if (this.#followed.has(name) || this.#signal.aborted) return;
    this.#followed.add(name);
    const following = this.#listen({ group, version, kind }).finally(() => {
      this.#followed.delete(name);
      this.#following.delete(following);
    });
    this.#following.add(following);
  }

  /** A kind that may not be watched is read all the same, whenever something else is a reason to. */
  async #listen(kind: GroupVersionKind): Promise<void> {
    try {
      for await (const change of this.#desk.cache.informerFor(kind)) {
        if (this.#signal.aborted) return;
        if (change.type === "synced" || change.type === "interrupted") continue;
        for (const key of this.readersOf(change)) this.#concerned(key);
      }
    } catch (error) {
      if (!this.#signal.aborted) this.#refused(error);
    }
  }
}

function isContent({ group, kind }: GroupVersionKind): boolean {
  return group === "" && (kind === "ConfigMap" || kind === "Secret");
}

/** What is referred to may have no namespace, though the reference names one. */
function namesOf(ref: ObjectRef): readonly string[] {
  return isContent(ref) || ref.namespace === "" ? [keyOf(ref)] : [keyOf(ref), keyOf({ ...ref, namespace: "" })];
}
