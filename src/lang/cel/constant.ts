import type { Interpretable } from "./planner.ts";
import type { CelValue } from "./value.ts";

const constants = new WeakMap<Interpretable, CelValue>();

/** A part of an expression that always gives the same. */
export function constant(value: CelValue): Interpretable {
  const run: Interpretable = () => value;
  constants.set(run, value);
  return run;
}

/** What a part always gives; undefined when that depends. */
export function constantOf(run: Interpretable | undefined): CelValue | undefined {
  return run === undefined ? undefined : constants.get(run);
}
