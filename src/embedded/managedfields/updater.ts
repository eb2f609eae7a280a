import { equal } from "../../core/object/index.ts";
import { compareTyped, filterComparison, type Comparison } from "./compare-typed.ts";
import { setDifference, emptySet, setIntersection, isEmptySet, memberPathsOf, setUnion } from "./field-set.ts";
import { mergeTyped } from "./merge-typed.ts";
import { withSet, type ManagedFields, type VersionedSet, type UpdaterRules, type TypedValue } from "./versioned-set.ts";
import type { ElementPath } from "./path-element.ts";
import { pruneRemovedFields } from "./prune-removed-fields.ts";
import { toFieldSet } from "./to-field-set.ts";
import type { MergeType } from "./merge-type.ts";
import { reconcileFieldSet } from "./reconcile-field-set.ts";

/** A field that another manager owns and that the applied value would change. */
export type FieldConflict = { readonly manager: string; readonly path: ElementPath };

export type UpdaterApplyResult =
  | { readonly conflicts: readonly FieldConflict[] }
  /** `object` is undefined when applying does not change the live object. */
  | { readonly conflicts?: undefined; readonly object: TypedValue | undefined; readonly managers: ManagedFields };

/**
 * The managers after a write: the writer owns the fields it changed, and removed fields have no owner. Models
 * structured-merge-diff merge.Updater.Update
 */
export function updaterUpdate(
  live: TypedValue,
  next: TypedValue,
  version: string,
  managers: ManagedFields,
  manager: string,
  rules: UpdaterRules,
): ManagedFields {
  const comparison = filterComparison(compareTyped(live.value, next.value, live.type), rules.filters?.[version]);
  const left = removeLostFields(live, next, { version, comparison }, reconciled(live, version, managers, rules), manager, rules);
  const { removed, modified, added } = comparison;
  const own = setUnion(setUnion(setDifference(left.get(manager)?.set ?? emptySet, removed), modified), added);
  const set = rules.filters?.[version]?.(own) ?? own;
  if (isEmptySet(set)) left.delete(manager);
  else left.set(manager, { set, version, applied: false, checkedType: live.type });
  return left;
}

/**
 * Merges an applied value into the live one, prunes the fields that the applier gave up and no other manager owns, and
 * finds conflicts. Models structured-merge-diff merge.Updater.Apply
 */
export function updaterApply(
  live: TypedValue,
  config: TypedValue,
  version: string,
  managers: ManagedFields,
  manager: string,
  { force, ...rules }: UpdaterRules & { readonly force: boolean },
): UpdaterApplyResult {
  const current = reconciled(live, version, managers, rules);
  const merged = { value: mergeTyped(live.value, config.value, live.type), type: live.type };
  const last = current.get(manager);
  const filter = rules.filters?.[version];
  const spoken = toFieldSet(config.value, config.type);
  current.set(manager, {
    set: filter === undefined ? spoken : filter(spoken),
    version,
    applied: true,
    time: last?.time,
    checkedType: config.type,
  });

  const next = pruneRemovedFields(merged, current, manager, last, rules);
  const comparison = filterComparison(compareTyped(live.value, next.value, live.type), filter);
  if (!force) {
    const conflicts = conflictsWith(live, next, { version, comparison }, current, manager, rules);
    if (conflicts.length > 0) return { conflicts };
  }
  const left = removeLostFields(live, next, { version, comparison }, current, manager, rules);
  if (isEmptySet(left.get(manager)?.set ?? emptySet)) left.delete(manager);
  return { object: equal(live.value, next.value) ? undefined : next, managers: left };
}

/** The managers' sets, reconciled with the current types. Those of versions that are not served are left out. */
function reconciled(live: TypedValue, version: string, managers: ManagedFields, rules: UpdaterRules): Map<string, VersionedSet> {
  const result = new Map<string, VersionedSet>();
  for (const [name, owned] of managers) {
    const type = owned.version === version ? live.type : rules.convert(live, owned.version)?.type;
    if (type !== undefined) result.set(name, owned.checkedType === type ? owned : reconciledWith(owned, type));
  }
  return result;
}

function reconciledWith(owned: VersionedSet, type: MergeType): VersionedSet {
  return { ...withSet(owned, reconcileFieldSet(owned.set, type)), checkedType: type };
}

type AtVersion = { readonly version: string; readonly comparison: Comparison };

/** The comparison of the two objects in each version; computed once for each. */
function comparisons(live: TypedValue, next: TypedValue, own: AtVersion, rules: UpdaterRules): (version: string) => Comparison | undefined {
  const known = new Map<string, Comparison | undefined>([[own.version, own.comparison]]);
  return (version) => {
    if (known.has(version)) return known.get(version);
    const before = rules.convert(live, version);
    const after = rules.convert(next, version);
    const missing = before === undefined || after === undefined;
    const found = missing ? undefined : filterComparison(compareTyped(before.value, after.value, before.type), rules.filters?.[version]);
    known.set(version, found);
    return found;
  };
}

function conflictsWith(
  live: TypedValue,
  next: TypedValue,
  own: AtVersion,
  managers: ManagedFields,
  manager: string,
  rules: UpdaterRules,
): FieldConflict[] {
  const comparisonAt = comparisons(live, next, own, rules);
  const found: FieldConflict[] = [];
  for (const [name, owned] of managers) {
    const comparison = name === manager ? undefined : comparisonAt(owned.version);
    if (comparison === undefined) continue;
    const paths = memberPathsOf(setIntersection(setUnion(comparison.modified, comparison.added), owned.set));
    for (const path of paths) found.push({ manager: name, path });
  }
  return found;
}

/** The managers without the fields that changed or were removed, and without empty managers. */
function removeLostFields(
  live: TypedValue,
  next: TypedValue,
  own: AtVersion,
  managers: ManagedFields,
  manager: string,
  rules: UpdaterRules,
): Map<string, VersionedSet> {
  const comparisonAt = comparisons(live, next, own, rules);
  const left = new Map<string, VersionedSet>();
  for (const [name, owned] of managers) {
    if (name === manager) {
      left.set(name, owned);
      continue;
    }
    const comparison = comparisonAt(owned.version);
    if (comparison === undefined) continue;
    const set = setDifference(setDifference(owned.set, setUnion(comparison.modified, comparison.added)), comparison.removed);
    if (!isEmptySet(set)) left.set(name, withSet(owned, set));
  }
  return left;
}
