import { charge } from "../../core/cost/index.ts";
import { GoError, GoMap, GoStruct, isTrue, type GoValue } from "../template/index.ts";

/**
 * Merges `source` into `target`: missing and empty keys, or all keys with `overwrite`. Maps are merged recursively. Models
 * dario.cat/mergo.
 */
export function mergoMerge(target: GoMap, source: GoMap, overwrite: boolean): void {
  const open: OpenMerge[] = [{ target, rest: source.entries(), after: undefined }];
  for (let merge = open.at(-1); merge !== undefined; merge = open.at(-1)) {
    charge(costOfElement);
    const { done, value } = merge.rest.next();
    if (done !== true) {
      const below = mergeElement(merge.target, value[0], value[1], overwrite);
      if (below !== undefined) open.push(below);
      if (open.length > deepest) throw new GoError("values that contain themselves cannot be merged");
    } else {
      open.pop();
      merge.after?.();
    }
  }
}

/** An element that is merged. Maps may be in others many times, and each time are merged. */
const costOfElement = 32;

/** Values that contain themselves are deeper. Go exhausts its stack on them. */
const deepest = 100_000;

/** A map that takes what is left of another one, and what is done when it has. */
type OpenMerge = {
  readonly target: GoMap;
  readonly rest: Iterator<[string, GoValue], undefined>;
  readonly after: (() => void) | undefined;
};

/** Merges an element. Returns the merge to go on with if both are maps. */
function mergeElement(target: GoMap, key: string, element: GoValue, overwrite: boolean): OpenMerge | undefined {
  if (element === null || element === undefined) {
    if (overwrite) target.set(key, null);
    return undefined;
  }
  const present = target.get(key);
  const settle = (): void => {
    if (overwrite || isVoid(present)) target.set(key, element);
  };
  if (!(element instanceof GoMap && present instanceof GoMap)) return void settle();
  if (present.isNil) return void settle();
  const after = (): void => {
    if (present.size === 0) settle();
  };
  return { target: present, rest: element.entries(), after };
}

/** Like false in a condition, but a pointer counts by its target. */
function isVoid(value: GoValue): boolean {
  return !(value instanceof GoStruct) && !isTrue(value);
}
