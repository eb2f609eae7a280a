import { fieldForbidden, type FieldError } from "../field-error.ts";

/** The most that one expression may be estimated to cost, over all the values that it can be evaluated on. */
const costLimit = 10_000_000;

/** The most that all expressions of a schema may be estimated to cost together. */
const totalCostLimit = 100_000_000;

/** The error of an expression whose estimated cost is over the limit. */
export function costErrors(what: string, path: string, cost: number): readonly FieldError[] {
  return cost > costLimit ? [fieldForbidden(path, exceeds(what, cost, costLimit))] : [];
}

/**
 * Adds up the estimated costs of the rules of one schema.
 *
 * Models apiextensions pkg/apis/apiextensions/validation/cel_validation.go TotalCost
 */
export class RuleCosts {
  #total = 0;
  /** The four most expensive expressions, the first one first. */
  #mostExpensive: readonly { readonly path: string; readonly cost: number }[] = [];

  add(path: string, cost: number): void {
    this.#total += cost;
    if (cost < totalCostLimit / 100) return;
    this.#mostExpensive = [...this.#mostExpensive, { path, cost }].toSorted((a, b) => b.cost - a.cost).slice(0, 4);
  }

  /** The errors of a schema, at `path`, whose total is over the limit. */
  errors(path: string): readonly FieldError[] {
    if (this.#total <= totalCostLimit) return [];
    const contributed = "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema";
    const what = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
    return [
      ...this.#mostExpensive.map((expensive) => fieldForbidden(expensive.path, contributed)),
      fieldForbidden(path, exceeds(what, this.#total, totalCostLimit)),
    ];
  }
}

function exceeds(what: string, cost: number, limit: number): string {
  const hint = "try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared";
  return `${what} exceeds budget by factor of ${factorOf(cost / limit)} (${hint})`;
}

function factorOf(factor: number): string {
  if (factor > 100) return "more than 100x";
  return `${toFixed(factor, factor < 1.5 ? 6 : 1)}x`;
}

/** A number with this many decimals. Go rounds what is exactly in the middle to the even digit. */
function toFixed(number: number, digits: number): string {
  const isInTheMiddle = (number * 2 ** (digits + 1)) % 2 === 1;
  if (!isInTheMiddle) return number.toFixed(digits);
  const low = Math.floor(number * 10 ** digits);
  return ((low + (low % 2)) / 10 ** digits).toFixed(digits);
}
