import { setDifference, setIntersection, isEmptySet, setUnion, type FieldSet } from "./field-set.ts";
import type { ManagedFields, VersionedSet, UpdaterRules, TypedValue } from "./versioned-set.ts";
import { removeItems } from "./remove-items.ts";
import { toFieldSet } from "./to-field-set.ts";
import { ensureNamedFieldsAreMembers } from "./reconcile-field-set.ts";

/**
 * The merged object without what the applier applied last time, does not apply now and nobody else manages. `managers`
 * has the applier's new set already. Models structured-merge-diff merge.Updater.prune
 */
export function pruneRemovedFields(
  merged: TypedValue,
  managers: ManagedFields,
  manager: string,
  last: VersionedSet | undefined,
  rules: UpdaterRules,
): TypedValue {
  if (last === undefined || isEmptySet(last.set)) return merged;
  const own = managers.get(manager);
  // Most applies give nothing up.
  if (own !== undefined && own.version === last.version && isEmptySet(setDifference(last.set, own.set))) return merged;
  const whole = rules.convert(merged, last.version);
  if (whole === undefined) return merged;
  const rest = without(whole, ensureNamedFieldsAreMembers(last.set, whole.type));
  const kept = addBackOwned(whole, rest, last.version, managers, rules);
  const pruned = addBackUnowned(whole, kept, last, rules);
  const version = own?.version ?? last.version;
  const result = rules.convert(pruned, version);
  if (result === undefined) throw new Error(`failed to prune fields: cannot convert to ${version}`);
  return result;
}

function without(object: TypedValue, items: FieldSet): TypedValue {
  return { value: removeItems(object.value, items, object.type), type: object.type };
}

function namedSetOf({ value, type }: TypedValue): FieldSet {
  return ensureNamedFieldsAreMembers(toFieldSet(value, type), type);
}

/** Puts back what any manager has in its set, version by version. */
function addBackOwned(whole: TypedValue, rest: TypedValue, version: string, managers: ManagedFields, rules: UpdaterRules): TypedValue {
  const managed = new Map<string, FieldSet>();
  for (const owned of managers.values()) {
    const before = managed.get(owned.version);
    managed.set(owned.version, before === undefined ? owned.set : setUnion(before, owned.set));
  }
  // The version of the last apply comes first: converting may need fields that were just taken away.
  const versions = [version, ...[...managed.keys()].filter((other) => other !== version)].filter((each) => managed.has(each));
  let merged = whole;
  let pruned = rest;
  for (const each of versions) {
    const mergedThere = rules.convert(merged, each);
    if (mergedThere === undefined) continue;
    merged = mergedThere;
    const prunedThere = rules.convert(pruned, each);
    if (prunedThere === undefined) continue;
    const { type } = merged;
    const keep = setUnion(namedSetOf({ value: prunedThere.value, type }), ensureNamedFieldsAreMembers(managed.get(each)!, type));
    pruned = without(merged, setDifference(namedSetOf(merged), keep));
  }
  return pruned;
}

/** Puts back what the applier did not have in its set either: nobody's fields, which are not its to remove. */
function addBackUnowned(whole: TypedValue, rest: TypedValue, last: VersionedSet, rules: UpdaterRules): TypedValue {
  const pruned = rules.convert(rest, last.version);
  if (pruned === undefined) return whole;
  const gone = setDifference(namedSetOf(whole), namedSetOf({ value: pruned.value, type: whole.type }));
  return without(whole, setIntersection(gone, ensureNamedFieldsAreMembers(last.set, whole.type)));
}
