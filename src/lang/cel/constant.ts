import type { Interpretable } from "./planner.ts";
import type { CelValue } from "./value.ts";

const constants = new WeakMap<Interpretable, CelValue>();

/** An interpretable that always returns the same value. */
export function constant(value: CelValue): Interpretable {
  const run: Interpretable = () => value;
  constants.set(run, value);
  return run;
}

/** The value of a constant interpretable; undefined for any other. */
export function constantOf(run: Interpretable | undefined): CelValue | undefined {
  return run === undefined ? undefined : constants.get(run);
}
