import { triggerIdentity, type TriggerKey } from "./trigger-key.ts";

/** Indexes queue keys by the objects that their last reconcile has read. */
export class DependencyIndex {
  /** By the identity of a key. */
  readonly #dependencies = new Map<string, ReadonlySet<string>>();
  /** By dependency: the keys by identity. */
  readonly #dependents = new Map<string, Map<string, TriggerKey>>();

  /** Replaces all dependencies of a key. */
  set(key: TriggerKey, dependencies: Iterable<string>): void {
    const id = triggerIdentity(key);
    const next = new Set(dependencies);
    for (const dependency of this.#dependencies.get(id) ?? []) if (!next.has(dependency)) this.#remove(dependency, id);
    for (const dependency of next) {
      const dependents = this.#dependents.get(dependency) ?? new Map<string, TriggerKey>();
      this.#dependents.set(dependency, dependents.set(id, key));
    }
    if (next.size === 0) this.#dependencies.delete(id);
    else this.#dependencies.set(id, next);
  }

  dependentsOf(dependency: string): Iterable<TriggerKey> {
    return this.#dependents.get(dependency)?.values() ?? [];
  }

  #remove(dependency: string, id: string): void {
    const dependents = this.#dependents.get(dependency);
    dependents?.delete(id);
    if (dependents?.size === 0) this.#dependents.delete(dependency);
  }
}

type NamedObject = { readonly kind: string; readonly namespace?: string; readonly name: string };

/** An object as a dependency. */
export function dependencyKey({ kind, namespace, name }: NamedObject): string {
  return `${kind} ${namespace ?? ""}/${name}`;
}
