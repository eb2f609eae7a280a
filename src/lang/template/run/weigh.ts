import { charge } from "../../../core/cost/index.ts";
import { GoList } from "../value/index.ts";

/** A call of a function, as it takes time. */
const costOfCall = 64;

/**
 * Charges for an argument of a function, which may look at every character. A function whose time or result is not in proportion to
 * its arguments charges the rest itself.
 */
export function weighArgument(value: unknown): void {
  if (typeof value === "string") charge(value.length);
}

/** Charges for a call that is over, and for the memory of its result. */
export function weighResult(value: unknown): void {
  if (typeof value === "string") charge(costOfCall + value.length);
  else charge(value instanceof GoList ? costOfCall + 4 * value.items.length : costOfCall);
}
