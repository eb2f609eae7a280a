import { CelFailure, noSuchOverload } from "./failure.ts";
import type { ExecutionFrame, Interpretable } from "./planner.ts";
import { Optional, type CelValue } from "./value.ts";

/** What work gives; when it fails, a function that fails in the same way. */
export function valueOrThrower<T extends CelValue>(work: () => T): T | (() => never) {
  try {
    return work();
  } catch (cause) {
    return () => {
      throw cause;
    };
  }
}

/**
 * `&&` and `||`: a term that settles the result makes up for failures in others, wherever it stands. `settling` is the
 * value that does.
 */
export function planLogical(settling: boolean, terms: readonly Interpretable[]): Interpretable {
  return (frame) => {
    let failure: unknown;
    for (const term of terms) {
      const outcome = settles(term, frame, settling);
      if (outcome === true) return settling;
      if (outcome !== false) failure ??= outcome;
    }
    if (failure !== undefined) throw failure;
    return !settling;
  };
}

/** Whether a term has the value that settles the result; its failure when it has none. */
export function settles(term: Interpretable, frame: ExecutionFrame, settling: boolean): boolean | CelFailure {
  try {
    const value = term(frame);
    if (typeof value !== "boolean") return new CelFailure("no such overload");
    return value === settling;
  } catch (cause) {
    if (cause instanceof CelFailure && !cause.isFinal) return cause;
    throw cause;
  }
}

/** `a ? b : c`. A branch that only names something costs what its qualifiers cost: cel-go takes it as part of this step. */
export function planConditional([test, yes, no]: readonly Interpretable[], attributes: readonly boolean[]): Interpretable {
  const [, isYesAttribute = false, isNoAttribute = false] = attributes;
  if (test === undefined || yes === undefined || no === undefined) return () => noSuchOverload();
  return (frame) => {
    const choice = test(frame);
    if (typeof choice !== "boolean") return noSuchOverload();
    if (choice ? isYesAttribute : isNoAttribute) frame.meter.cost--;
    return choice ? yes(frame) : no(frame);
  };
}

/** `a.or(b)` and `a.orValue(b)`: the second is looked at only when the first is empty. */
export function planAlternative(name: "or" | "orValue", [first, second]: readonly Interpretable[]): Interpretable {
  if (first === undefined || second === undefined) return () => noSuchOverload();
  return (frame) => {
    const value = first(frame);
    // What is no optional at all is taken for one that is there.
    if (!(value instanceof Optional)) return value;
    if (value.value === undefined) return second(frame);
    return name === "or" ? value : value.value;
  };
}
