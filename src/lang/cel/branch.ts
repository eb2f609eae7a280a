import { CelFailure, noSuchOverload } from "./failure.ts";
import type { ExecutionFrame, Interpretable } from "./planner.ts";
import { Optional, type CelValue } from "./value.ts";

/** The result of `work`, or a function that throws what `work` threw. */
export function valueOrThrower<T extends CelValue>(work: () => T): T | (() => never) {
  try {
    return work();
  } catch (cause) {
    return () => {
      throw cause;
    };
  }
}

/** Plans `&&` and `||`. A term with the value `settling` decides the result and absorbs the failures of the other terms. */
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

/** Whether a term has the value that decides the result; its failure when it has no value. */
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

/** Plans `a ? b : c`. A branch that is an attribute costs only its qualifiers, because cel-go resolves it in this step. */
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

/** Plans `a.or(b)` and `a.orValue(b)`. Evaluates the second only when the first is empty. */
export function planAlternative(name: "or" | "orValue", [first, second]: readonly Interpretable[]): Interpretable {
  if (first === undefined || second === undefined) return () => noSuchOverload();
  return (frame) => {
    const value = first(frame);
    // A value that is not optional counts as present.
    if (!(value instanceof Optional)) return value;
    if (value.value === undefined) return second(frame);
    return name === "or" ? value : value.value;
  };
}
