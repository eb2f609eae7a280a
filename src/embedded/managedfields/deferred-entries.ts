import type { ManagedFieldsEntry } from "../../core/object/index.ts";

type Entries = readonly ManagedFieldsEntry[];

/** A chain of this many writes is computed at once, so that the objects before them can be forgotten. */
const maxDepth = 8;

/** Computes entries when somebody first looks at them. */
class DeferredEntries implements ProxyHandler<ManagedFieldsEntry[]> {
  readonly depth: number;
  #compute: (() => Entries) | undefined;
  #entries: Entries = [];

  constructor(compute: () => Entries, depth: number) {
    this.#compute = compute;
    this.depth = depth;
  }

  resolve(): Entries {
    if (this.#compute !== undefined) {
      this.#entries = resolvedEntries(this.#compute());
      this.#compute = undefined;
    }
    return this.#entries;
  }

  get(_target: ManagedFieldsEntry[], key: string | symbol): unknown {
    return Reflect.get(this.resolve(), key);
  }

  has(_target: ManagedFieldsEntry[], key: string | symbol): boolean {
    return Reflect.has(this.resolve(), key);
  }

  ownKeys(): (string | symbol)[] {
    return Reflect.ownKeys(this.resolve());
  }

  getOwnPropertyDescriptor(_target: ManagedFieldsEntry[], key: string | symbol): PropertyDescriptor | undefined {
    return Reflect.getOwnPropertyDescriptor(this.resolve(), key);
  }
}

const deferred = new WeakMap<Entries, DeferredEntries>();

/**
 * A list like the one that `compute` returns, which is called when somebody first reads it: most versions of an object are replaced
 * before anybody does. Undefined when it follows on too many others that nobody has read.
 */
export function deferEntries(compute: () => Entries, before: Entries | undefined): Entries | undefined {
  const depth = before === undefined ? 1 : (deferred.get(before)?.depth ?? 0) + 1;
  if (depth > maxDepth) return undefined;
  const handler = new DeferredEntries(compute, depth);
  const entries: Entries = new Proxy<ManagedFieldsEntry[]>([], handler);
  deferred.set(entries, handler);
  return entries;
}

export function isDeferred(entries: Entries): boolean {
  return deferred.has(entries);
}

/** The list itself, computed if it was deferred. */
export function resolvedEntries(entries: Entries): Entries {
  return deferred.get(entries)?.resolve() ?? entries;
}
