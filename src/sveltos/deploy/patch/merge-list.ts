import { equal, isFields, ownField, PatchFault, type Fields } from "../../../core/object/index.ts";

/** A list of scalars: those of the patch come first, each value once. */
export function mergeScalarList(current: readonly unknown[], patch: readonly unknown[]): readonly unknown[] {
  return [...new Set([...patch, ...current])];
}

type MergeElement = (found: Fields | undefined, element: Fields, path: string) => Fields | undefined;

/**
 * A list of objects that `keys` identify together. New elements come first. What is merged does too, in the order of the patch, or
 * keeps its place where two keys are in use. `merge` gives undefined for an element that is deleted.
 *
 * A key that one of two elements lacks is not compared: a port without protocol is the port of that number. Kustomize means the
 * same (kyaml yaml/walk mergeValues), but then loses the patch, or every element when one lacks its key. Here both are merged, and
 * what cannot be told apart is refused.
 */
export function mergeKeyedList(
  current: readonly unknown[],
  patch: readonly unknown[],
  keys: readonly string[],
  path: string,
  merge: MergeElement,
): readonly unknown[] {
  const keepsPlaces = keys.filter((key) => [...current, ...patch].some((each) => isFields(each) && valueOf(each, key) !== "")).length > 1;
  let first: readonly Fields[] = [];
  let rest: readonly unknown[] = current;
  for (const [index, element] of patch.entries()) {
    const at = `${path}[${index}]`;
    if (!isFields(element)) throw new PatchFault("Invalid", `${at}: expected an object with ${keys.join(" and ")}`);
    const values = valuesOf(element, keys);
    if (values.every((value) => value === "")) throw new PatchFault("Invalid", `${at}: names no ${keys[0]}, by which the list is merged`);
    const matching = matchesOf([...first, ...rest], values, keys, at);
    const last = matching.at(-1);
    const merged = merge(last, element, at);
    const inPlace = keepsPlaces && merged !== undefined && rest.includes(last);
    rest = rest.flatMap((each) => (!isFields(each) || !matching.includes(each) ? [each] : inPlace && each === last ? [merged] : []));
    first = first.filter((each) => !matching.includes(each));
    if (merged !== undefined && !inPlace) first = [...first, merged];
  }
  return [...first, ...rest];
}

/** The elements that `values` identify: several only when they are the same in all keys. */
function matchesOf(elements: readonly unknown[], values: readonly string[], keys: readonly string[], path: string): readonly Fields[] {
  const near = elements.filter(isFields).filter((each) => isMatch(valuesOf(each, keys), values));
  const exact = near.filter((each) => equal(valuesOf(each, keys), values));
  if (exact.length > 0) return exact;
  const [one] = near;
  if (one === undefined || near.every((each) => equal(valuesOf(each, keys), valuesOf(one, keys)))) return near;
  const missing = keys.filter((_, index) => values[index] === "");
  throw new PatchFault("Invalid", `${path}: ${near.length} elements match; name ${missing.join(" and ")} to say which`);
}

function isMatch(values: readonly string[], others: readonly string[]): boolean {
  const differs = values.some((value, index) => value !== "" && others[index] !== "" && value !== others[index]);
  return !differs && values.some((value, index) => value !== "" && value === others[index]);
}

function valuesOf(element: Fields, keys: readonly string[]): readonly string[] {
  return keys.map((key) => valueOf(element, key));
}

/** The value of a key as text, for 80 and "80" are one port. Empty for a missing one. */
function valueOf(element: Fields, key: string): string {
  const value = ownField(element, key);
  return value === null || value === undefined || typeof value === "object" ? "" : String(value);
}
