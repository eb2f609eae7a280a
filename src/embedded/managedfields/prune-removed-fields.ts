import { setDifference, setIntersection, isEmptySet, setUnion, type FieldSet } from "./field-set.ts";
import type { ManagedFields, VersionedSet, UpdaterRules, TypedValue } from "./versioned-set.ts";
import { removeItems } from "./remove-items.ts";
import { toFieldSet } from "./to-field-set.ts";
import { ensureNamedFieldsAreMembers } from "./reconcile-field-set.ts";

/**
 * The merged object without the fields that the applier applied last time, does not apply now and no other manager
 * owns. `managers` already has the applier's new set. Models structured-merge-diff merge.Updater.prune
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
  // Most applies remove nothing.
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

/** Restores the fields that any manager owns, version by version. */
function addBackOwned(whole: TypedValue, rest: TypedValue, version: string, managers: ManagedFields, rules: UpdaterRules): TypedValue {
  const managed = new Map<string, FieldSet>();
  for (const owned of managers.values()) {
    const before = managed.get(owned.version);
    managed.set(owned.version, before === undefined ? owned.set : setUnion(before, owned.set));
  }
  // The version of the last apply comes first: a conversion may need fields that were just removed.
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

/** Restores the fields that the applier did not own either, which it may not remove. */
function addBackUnowned(whole: TypedValue, rest: TypedValue, last: VersionedSet, rules: UpdaterRules): TypedValue {
  const pruned = rules.convert(rest, last.version);
  if (pruned === undefined) return whole;
  const gone = setDifference(namedSetOf(whole), namedSetOf({ value: pruned.value, type: whole.type }));
  return without(whole, setIntersection(gone, ensureNamedFieldsAreMembers(last.set, whole.type)));
}
