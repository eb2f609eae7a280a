/** Who has looked at what: keys of the queue by the objects on which their last outcome rests. */
export class DependencyIndex {
  readonly #topics = new Map<string, ReadonlySet<string>>();
  readonly #keys = new Map<string, Set<string>>();

  /** From now on `key` rests on these and no others. */
  set(key: string, dependencies: Iterable<string>): void {
    const next = new Set(dependencies);
    for (const topic of this.#topics.get(key) ?? []) if (!next.has(topic)) this.#leave(topic, key);
    for (const topic of next) {
      const keys = this.#keys.get(topic) ?? new Set();
      this.#keys.set(topic, keys.add(key));
    }
    if (next.size === 0) this.#topics.delete(key);
    else this.#topics.set(key, next);
  }

  /** The keys that rest on it. */
  dependentsOf(topic: string): Iterable<string> {
    return this.#keys.get(topic) ?? [];
  }

  #leave(topic: string, key: string): void {
    const keys = this.#keys.get(topic);
    keys?.delete(key);
    if (keys?.size === 0) this.#keys.delete(topic);
  }
}

/** An object as a topic. */
export function dependencyKey({
  kind,
  namespace,
  name,
}: {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}): string {
  return `${kind} ${namespace ?? ""}/${name}`;
}
