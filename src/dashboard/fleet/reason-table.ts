/** Numbers for texts that many cells have. A number is free when nobody uses it any more. */
export class ReasonTable {
  readonly #numbers = new Map<string, number>();
  readonly #users = new Map<number, { readonly text: string; count: number }>();
  readonly #free: number[] = [];
  /** Texts by number since the last `takeChanges`; undefined for those that are gone. */
  readonly #changed = new Map<number, string | undefined>();

  /** The number of a text, for one user more. */
  use(text: string): number {
    const number = this.#numbers.get(text) ?? this.#add(text);
    this.#users.get(number)!.count++;
    return number;
  }

  /** One user fewer. */
  release(number: number): void {
    const used = this.#users.get(number);
    if (used === undefined || --used.count > 0) return;
    this.#users.delete(number);
    this.#numbers.delete(used.text);
    this.#free.push(number);
    this.#changed.set(number, undefined);
  }

  /** What has changed since the last call. */
  takeChanges(): readonly (readonly [number: number, text: string | undefined])[] {
    const changes = [...this.#changed];
    this.#changed.clear();
    return changes;
  }

  #add(text: string): number {
    const number = this.#free.pop() ?? this.#users.size;
    this.#numbers.set(text, number);
    this.#users.set(number, { text, count: 0 });
    this.#changed.set(number, text);
    return number;
  }
}
