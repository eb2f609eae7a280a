import { fail } from "./failure.ts";
import { MapValue, type CelValue } from "./value.ts";
import type { CelRun } from "./compile.ts";

/** The fields of a composition. Each is evaluated when it is first read, and then kept. */
class ComposedFields extends MapValue {
  readonly #names: readonly string[];
  readonly #evaluate: (name: string) => CelRun;
  readonly #known = new Map<string, CelRun>();

  constructor(names: readonly string[], evaluate: (name: string) => CelRun) {
    super();
    this.#names = names;
    this.#evaluate = evaluate;
  }

  get size(): number {
    return this.#names.length;
  }

  keys(): readonly CelValue[] {
    return this.#names;
  }

  find(key: CelValue): CelValue | undefined {
    if (typeof key !== "string" || !this.#names.includes(key)) return undefined;
    let result = this.#known.get(key);
    if (result === undefined) this.#known.set(key, (result = this.#evaluate(key)));
    return "error" in result ? fail(result.error) : result.value;
  }
}

/** The value of a variable that is composed of others. Models apiserver pkg/cel/lazy/lazy.go */
export function composedValue(names: readonly string[], evaluate: (name: string) => CelRun): CelValue {
  return new ComposedFields(names, evaluate);
}
