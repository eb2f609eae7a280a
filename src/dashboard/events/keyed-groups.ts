/** Values in groups, each by a key of its own. A value that comes again may be in another group. */
export class KeyedGroups<T> {
  readonly #groups = new Map<string, Map<string, T>>();
  readonly #groupOf = new Map<string, string>();

  put(group: string, key: string, value: T): void {
    if (this.#groupOf.get(key) !== group) this.remove(key);
    this.#groups.set(group, (this.#groups.get(group) ?? new Map<string, T>()).set(key, value));
    this.#groupOf.set(key, group);
  }

  remove(key: string): void {
    const group = this.#groupOf.get(key);
    if (group === undefined) return;
    this.#groupOf.delete(key);
    const values = this.#groups.get(group);
    values?.delete(key);
    if (values?.size === 0) this.#groups.delete(group);
  }

  /** The value of a key; undefined when there is none. */
  get(key: string): T | undefined {
    return this.#groups.get(this.#groupOf.get(key) ?? "")?.get(key);
  }

  in(group: string): readonly T[] {
    const values = this.#groups.get(group);
    return values === undefined ? [] : [...values.values()];
  }
}
