import { GoMap, GoStruct, isTrue, type GoValue } from "../template/index.ts";

/**
 * Merges `source` into `target`: missing and empty keys, or all keys with `overwrite`. Maps are merged recursively. Models
 * dario.cat/mergo.
 */
export function mergoMerge(target: GoMap, source: GoMap, overwrite: boolean): void {
  for (const [key, element] of source) {
    if (element === null || element === undefined) {
      if (overwrite) target.set(key, null);
    } else mergeElement(target, key, element, overwrite);
  }
}

function mergeElement(target: GoMap, key: string, element: GoValue, overwrite: boolean): void {
  const present = target.get(key);
  if (element instanceof GoMap && present instanceof GoMap) {
    if (!present.isNil) mergoMerge(present, element, overwrite);
    if (present.size > 0) return;
  }
  if (overwrite || isVoid(present)) target.set(key, element);
}

/** Like false in a condition, but a pointer counts by its target. */
function isVoid(value: GoValue): boolean {
  return !(value instanceof GoStruct) && !isTrue(value);
}
