import { listAt, numberAt, stringAt } from "../../src/core/object/index.ts";

/** An object as a client knows it. */
export type KnownObject = { readonly uid: string; readonly resourceVersion: number; readonly value: number };

/** A write without an answer yet. Undefined value: a deletion. */
type Pending = { readonly value: number | undefined };

/** What a server has answered, and what may or may not have happened. */
export class AcknowledgedWrites {
  readonly #known = new Map<string, KnownObject | undefined>();
  readonly #pending = new Map<string, Pending>();
  /** The highest resourceVersion that any answer or watch has told. */
  highest = 0;
  /** How many writes were answered. */
  count = 0;
  #awaited: { readonly count: number; readonly reached: () => void } | undefined;

  at(name: string): KnownObject | undefined {
    return this.#known.get(name);
  }

  begin(name: string, value: number | undefined): void {
    this.#pending.set(name, { value });
  }

  /** A write was answered with this object; undefined: it was deleted. */
  acknowledge(name: string, object: unknown): void {
    this.#pending.delete(name);
    this.#known.set(name, object === undefined ? undefined : knownFrom(object));
    if (object !== undefined) this.see(object);
    this.count++;
    if (this.#awaited !== undefined && this.count >= this.#awaited.count) this.#awaited.reached();
  }

  /** Resolves when so many more writes are answered. */
  after(more: number): Promise<void> {
    return new Promise((reached) => (this.#awaited = { count: this.count + more, reached }));
  }

  /** A server has told of this object or list. */
  see(object: unknown): void {
    this.highest = Math.max(this.highest, Number(stringAt(object, "metadata.resourceVersion", "0")));
  }

  /** What is wrong with a list of all objects after a restart. What was pending is settled by it. */
  problemsIn(list: unknown): readonly string[] {
    const revision = Number(stringAt(list, "metadata.resourceVersion", "0"));
    const problems = revision < this.highest ? [`resourceVersion ${revision} after ${this.highest} was told`] : [];
    const found = new Map(listAt(list, "items").map((item) => [stringAt(item, "metadata.name", ""), knownFrom(item)]));
    for (const name of new Set([...this.#known.keys(), ...this.#pending.keys(), ...found.keys()])) {
      const [known, pending, now] = [this.#known.get(name), this.#pending.get(name), found.get(name)];
      const isAsKnown = JSON.stringify(known) === JSON.stringify(now);
      if (!isAsKnown && !(pending !== undefined && isResultOf(pending, known, now)))
        problems.push(`${name}: answered was ${textOf(known)}, pending ${textOf(pending)}, found ${textOf(now)}`);
      this.#known.set(name, now);
    }
    this.#pending.clear();
    this.highest = Math.max(this.highest, revision);
    return problems;
  }
}

function isResultOf({ value }: Pending, known: KnownObject | undefined, now: KnownObject | undefined): boolean {
  if (value === undefined || now === undefined) return value === undefined && now === undefined;
  const isSame = known === undefined || (now.uid === known.uid && now.resourceVersion > known.resourceVersion);
  return now.value === value && isSame;
}

function textOf(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}

function knownFrom(object: unknown): KnownObject {
  return {
    uid: stringAt(object, "metadata.uid", ""),
    resourceVersion: Number(stringAt(object, "metadata.resourceVersion", "0")),
    value: Number(stringAt(object, "data.value", "") || numberAt(object, "data.value", 0)),
  };
}
