import {
  freePatchSchema,
  isFields,
  jsonTypeOf,
  ownField,
  PatchFault,
  setField,
  type Fields,
  type MutableFields,
  type PatchMeta,
  type PatchSchema,
} from "../../../core/object/index.ts";
import { mergeKeyedList, mergeScalarList } from "./merge-list.ts";
import { fieldDirectiveOf, listDirectiveOf, refuseDirectivesIn, refuseUnknownDirective, withoutListDirective } from "./patch-directive.ts";

/**
 * Merges a strategic merge patch into an object as Kustomize does: objects merge, null deletes, lists of objects with a merge key
 * merge by it, and the new elements come first. Undefined when the patch deletes the object. Nothing is mutated. Throws a
 * PatchFault.
 *
 * Models kyaml yaml/merge2, which differs from the API server's merge (`applyStrategicPatch`): `$patch: delete` takes a field out
 * instead of emptying it, two keys can identify an element, `$patch` is the only directive, and the types must agree.
 */
export function mergeFields(current: Fields, patch: Fields, schema: PatchSchema, path = ""): Fields | undefined {
  const directive = fieldDirectiveOf(patch, path);
  if (directive === "delete") return undefined;
  // What is merged into nothing is added.
  const merged: MutableFields = directive === "replace" ? {} : { ...current };
  for (const [key, value] of Object.entries(patch)) {
    if (key === "$patch") continue;
    const at = path === "" ? key : `${path}.${key}`;
    const meta = schema.field(key);
    if (meta === undefined) refuseUnknownDirective(key, path);
    const result = mergeValue(ownField(merged, key), value, meta, at);
    if (result === undefined) delete merged[key];
    else setField(merged, key, result);
  }
  return merged;
}

/** Undefined when the field is to be absent. */
function mergeValue(current: unknown, patch: unknown, meta: PatchMeta | undefined, path: string): unknown {
  if (patch === null || patch === undefined) return undefined;
  const found = current ?? undefined;
  const type = shapeOf(patch);
  if (found !== undefined && shapeOf(found) !== type)
    throw new PatchFault("Invalid", `${path}: the patch has ${article[type]}, but the object has ${article[shapeOf(found)]}`);
  if (isFields(patch)) {
    // Nothing is left of a directive to delete what is not there.
    return mergeFields(isFields(found) ? found : {}, patch, meta?.inside ?? freePatchSchema, path);
  }
  return Array.isArray(patch) ? mergeList(Array.isArray(found) ? found : [], patch, meta, path) : patch;
}

function mergeList(
  current: readonly unknown[],
  patch: readonly unknown[],
  meta: PatchMeta | undefined,
  path: string,
): readonly unknown[] | undefined {
  if (meta === undefined || !meta.strategies.includes("merge")) {
    if (meta !== undefined && meta.inside.field("$patch") === undefined) refuseDirectivesIn(patch, path);
    return patch;
  }
  const directive = listDirectiveOf(patch, path);
  if (directive === "delete") return undefined;
  const base = directive === "replace" ? [] : current;
  const elements = withoutListDirective(patch);
  const keys = meta.mapKeys.length > 0 ? meta.mapKeys : meta.mergeKey === "" ? [] : [meta.mergeKey];
  if (keys.length === 0) return mergeScalarList(base, elements);
  return mergeKeyedList(base, elements, keys, path, (found, element, at) => mergeFields(found ?? {}, element, meta.inside, at));
}

const article = { object: "an object", array: "a list", scalar: "a single value" } as const;

function shapeOf(value: unknown): keyof typeof article {
  const type = jsonTypeOf(value);
  return type === "object" || type === "array" ? type : "scalar";
}
