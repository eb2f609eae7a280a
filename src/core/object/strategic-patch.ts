import { callNested, runNested, type Nested } from "../recursion/index.ts";
import { isFields, type Fields } from "./field.ts";
import { goText, goTypeOf } from "./go-text.ts";
import { PatchFault } from "./patch-fault.ts";
import type { PatchMeta, PatchSchema } from "./patch-schema.ts";
import { ownField, setField, type MutableFields } from "./plain-object.ts";
import { normalizeElementOrder, checkOrder, elementTypeOf, noMergeKey, sameItem, withoutDirectives } from "./strategic-list.ts";

const deletePrefix = "$deleteFromPrimitiveList";
const orderPrefix = "$setElementOrder";
const retainKeys = "$retainKeys";

/**
 * Applies a strategic merge patch: objects merge, null deletes, and lists are replaced or merged by key, as the schema
 * and the directives of the patch say. Nothing is mutated. Throws a PatchFault in the API server's words.
 *
 * Models apimachinery pkg/util/strategicpatch StrategicMergeMapPatch. Nulls and directives in added parts, which the
 * server drops when it decodes the result, are dropped here.
 */
export function applyStrategicPatch(document: Fields, patch: unknown, schema: PatchSchema): Fields {
  if (!isFields(patch)) throw new PatchFault("BadRequest", "invalid JSON document");
  return runNested(mergeFields(document, patch, schema));
}

function* mergeFields(original: Fields, patch: Fields, schema: PatchSchema): Nested<Fields> {
  if (Object.hasOwn(patch, "$patch")) return replacement(patch);
  const merged: MutableFields = { ...original };
  retain(merged, patch);
  const settled = yield* orderLists(merged, patch, schema);
  const entries = Object.entries(patch).filter(([, value]) => value !== undefined);
  for (const [key, value] of entries) if (!settled.has(key) && !isDirectiveKey(key)) yield* mergeField(merged, key, value, schema);
  // Deletion comes last, as for a list whose order is set. For other lists the server's order is random.
  for (const [key, value] of entries) if (key.startsWith(deletePrefix)) deleteFromList(merged, key, value);
  return merged;
}

function replacement(patch: Fields): Fields {
  const { $patch: directive, ...rest } = patch;
  if (directive === "delete") return {};
  if (directive === "replace") return withoutDirectives(rest) as Fields;
  throw new PatchFault("InternalError", `unknown patch type: ${goText(directive)} in map: ${goText(patch)}`);
}

function* mergeField(merged: MutableFields, key: string, value: unknown, schema: PatchSchema): Nested<void> {
  const current = ownField(merged, key);
  if (value === null) {
    delete merged[key];
  } else if (isFields(current) && isFields(value)) {
    const meta = patchMetaFor(schema, key);
    setField(
      merged,
      key,
      strategyOf(meta) === "replace" ? withoutDirectives(value) : yield* callNested(mergeFields(current, value, meta.inside)),
    );
  } else if (Array.isArray(current) && Array.isArray(value)) {
    setField(merged, key, yield* mergeList(current, value, patchMetaFor(schema, key)));
  } else if (isFields(value) && Object.hasOwn(value, "$patch")) {
    // A directive for a missing field has no effect.
    delete merged[key];
  } else {
    setField(merged, key, withoutDirectives(value));
  }
}

function deleteFromList(merged: MutableFields, key: string, value: unknown): void {
  const name = fieldAfter(key, deletePrefix, "invalid patch format of primitive list");
  const current = ownField(merged, name);
  if (value === null) delete merged[name];
  if (!Array.isArray(current) || !Array.isArray(value)) return;
  const gone = new Set(value);
  setField(
    merged,
    name,
    current.filter((item) => !gone.has(item)),
  );
}

/** Removes all keys that `$retainKeys` does not list. Every key that the patch sets must be listed. */
function retain(merged: MutableFields, patch: Fields): void {
  if (!Object.hasOwn(patch, retainKeys)) return;
  const list = patch[retainKeys];
  const bad = new PatchFault("BadRequest", "invalid patch format of retainKeys");
  if (!Array.isArray(list)) throw bad;
  const kept = new Set(list);
  for (const [key, value] of Object.entries(patch)) if (value !== null && !isDirectiveKey(key) && !kept.has(key)) throw bad;
  for (const key of Object.keys(merged)) if (!kept.has(key)) delete merged[key];
}

/** Merges the lists for which the patch sets an order. Returns their names. */
function* orderLists(merged: MutableFields, patch: Fields, schema: PatchSchema): Nested<Set<string>> {
  const settled = new Set<string>();
  for (const [key, order] of Object.entries(patch)) {
    if (!key.startsWith(orderPrefix)) continue;
    const name = fieldAfter(key, orderPrefix, "invalid patch format of setElementOrder list");
    const list = yield* orderedList(ownField(merged, name), ownField(patch, name), listOrRefuse(order), patchMetaFor(schema, name));
    if (list === undefined) continue;
    setField(merged, name, list);
    settled.add(name);
  }
  return settled;
}

function* orderedList(
  current: unknown,
  patched: unknown,
  order: readonly unknown[],
  meta: PatchMeta,
): Nested<readonly unknown[] | undefined> {
  const original = current === undefined ? undefined : listOrRefuse(current);
  const patch = patched === undefined ? undefined : listOrRefuse(patched);
  checkOrder(patch ?? [], order, meta.mergeKey);
  const list =
    original === undefined ? patch && (withoutDirectives(patch) as unknown[]) : patch ? yield* mergeList(original, patch, meta) : original;
  if (list === undefined) return undefined;
  elementTypeOf(original ?? [], patch ?? []);
  return normalizeElementOrder(list, order, original ?? [], meta.mergeKey);
}

function* mergeList(original: readonly unknown[], patch: readonly unknown[], meta: PatchMeta): Nested<readonly unknown[]> {
  if (strategyOf(meta) !== "merge") return withoutDirectives(patch) as unknown[];
  if (original.length === 0 && patch.length === 0) return original;
  if (elementTypeOf(original, patch) !== "object") return normalizeElementOrder([...new Set([...original, ...patch])], patch, original, "");
  if (meta.mergeKey === "") throw new PatchFault("InternalError", `cannot merge lists without merge key for ${meta.inside.name}`);
  return yield* mergeItems(original as readonly Fields[], patch as readonly Fields[], meta);
}

function* mergeItems(original: readonly Fields[], patch: readonly Fields[], { mergeKey, inside }: PatchMeta): Nested<readonly unknown[]> {
  const { kept, wanted } = obeyItemDirectives(original, patch, mergeKey);
  const merged = [...kept];
  for (const item of wanted) {
    const at = merged.findIndex((candidate) => sameItem(candidate, item, mergeKey));
    if (at < 0) merged.push(withoutDirectives(item) as Fields);
    else merged[at] = yield* callNested(mergeFields(merged[at]!, item, inside));
  }
  return normalizeElementOrder(merged, wanted, kept, mergeKey);
}

/** Applies the `$patch` directives of items: one deletes an item, another replaces the whole list. */
function obeyItemDirectives(
  original: readonly Fields[],
  patch: readonly Fields[],
  mergeKey: string,
): { kept: readonly Fields[]; wanted: readonly Fields[] } {
  const wanted = patch.filter((item) => !Object.hasOwn(item, "$patch"));
  let kept = original;
  let replace = false;
  for (const item of patch) {
    if (Object.hasOwn(item, "$patch")) {
      const directive = item["$patch"];
      if (directive === "replace") replace = true;
      else if (directive === "merge") throw new PatchFault("InternalError", "merging lists cannot yet be specified in the patch");
      else if (directive !== "delete")
        throw new PatchFault("InternalError", `unknown patch type: ${goText(directive)} in map: ${goText(item)}`);
      else kept = kept.filter((candidate) => !sameItem(candidate, item, mergeKey));
    }
    if (item["$patch"] !== "replace" && !Object.hasOwn(item, mergeKey)) throw noMergeKey(item, mergeKey);
  }
  return replace ? { kept: wanted.map((item) => withoutDirectives(item) as Fields), wanted: [] } : { kept, wanted };
}

function patchMetaFor(schema: PatchSchema, field: string): PatchMeta {
  const meta = schema.field(field);
  if (meta === undefined)
    throw new PatchFault("InternalError", `unable to find api field in struct ${schema.name} for the json field ${JSON.stringify(field)}`);
  return meta;
}

/** `retainKeys` may stand beside a merge strategy, and is none itself. */
function strategyOf({ strategies }: PatchMeta): string {
  return strategies.find((strategy) => strategy !== "retainKeys") ?? "";
}

function isDirectiveKey(key: string): boolean {
  return key === retainKeys || key.startsWith(deletePrefix) || key.startsWith(orderPrefix);
}

function fieldAfter(key: string, prefix: string, message: string): string {
  if (!key.startsWith(`${prefix}/`)) throw new PatchFault("BadRequest", message);
  return key.slice(prefix.length + 1);
}

function listOrRefuse(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new PatchFault("InternalError", `expected a []interface {}, but received a ${goTypeOf(value)}`);
}
