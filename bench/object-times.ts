import { newInformer, type Cluster } from "../src/kube/index.ts";

/** When a watch reported that objects of a kind were added and deleted. */
export class ObjectTimes {
  readonly #added = new Map<string, number>();
  readonly #deleted = new Map<string, number>();
  readonly #ready = Promise.withResolvers<void>();
  #changed = (_type: string, _name: string) => {};

  constructor(managed: Cluster, kind: Parameters<typeof newInformer>[1], signal: AbortSignal) {
    this.#follow(newInformer(managed, kind, { namespace: "default", signal })).catch((error: unknown) => this.#ready.reject(error));
  }

  async #follow(changes: ReturnType<typeof newInformer>): Promise<void> {
    for await (const change of changes) {
      if (change.type === "synced") this.#ready.resolve();
      if (change.type !== "added" && change.type !== "deleted") continue;
      const { name } = change.object.metadata;
      (change.type === "added" ? this.#added : this.#deleted).set(name, performance.now());
      this.#changed(change.type, name);
    }
  }

  /** Resolves when the informer has synced. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  addedAt(name: string): number | undefined {
    return this.#added.get(name);
  }

  deletedAt(name: string): number | undefined {
    return this.#deleted.get(name);
  }

  /** Waits until all of these were added or the time is over; returns whether they were. */
  allAdded(names: readonly string[], atMostMs: number): Promise<boolean> {
    return this.#all("added", new Set(names.filter((name) => !this.#added.has(name))), atMostMs);
  }

  allDeleted(names: readonly string[], atMostMs: number): Promise<boolean> {
    return this.#all("deleted", new Set(names.filter((name) => !this.#deleted.has(name))), atMostMs);
  }

  async #all(type: string, missing: Set<string>, atMostMs: number): Promise<boolean> {
    if (missing.size === 0) return true;
    const done = Promise.withResolvers<boolean>();
    this.#changed = (changed, name) => {
      if (changed === type && missing.delete(name) && missing.size === 0) done.resolve(true);
    };
    const timer = setTimeout(() => done.resolve(false), atMostMs);
    try {
      return await done.promise;
    } finally {
      clearTimeout(timer);
      this.#changed = () => {};
    }
  }
}
