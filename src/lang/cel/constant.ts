import type { Run } from "./plan.ts";
import type { Value } from "./value.ts";

const constants = new WeakMap<Run, Value>();

/** A part of an expression that always gives the same. */
export function constant(value: Value): Run {
  const run: Run = () => value;
  constants.set(run, value);
  return run;
}

/** What a part always gives; undefined when that depends. */
export function constantOf(run: Run | undefined): Value | undefined {
  return run === undefined ? undefined : constants.get(run);
}
