import { compare, filtered, type Comparison } from "./compare.ts";
import { difference, emptySet, intersection, isEmpty, pathsOf, union } from "./field-set.ts";
import { merge } from "./merge.ts";
import { withSet, type Managers, type Owned, type Rules, type Typed } from "./owned.ts";
import type { Path } from "./path-element.ts";
import { prune } from "./prune.ts";
import { toFieldSet } from "./to-field-set.ts";
import type { Type } from "./type.ts";
import { reconcile } from "./typed-set.ts";
import { sameValue } from "./value.ts";

/** A field that somebody else manages and that the applied value would change. */
export type Conflict = { readonly manager: string; readonly path: Path };

export type Applied =
  | { readonly conflicts: readonly Conflict[] }
  /** `object` is undefined when applying changes nothing about the live one. */
  | { readonly conflicts?: undefined; readonly object: Typed | undefined; readonly managers: Managers };

/**
 * Who manages what after a write: the writer owns what it changed, nobody owns what is gone. Models
 * structured-merge-diff merge.Updater.Update
 */
export function update(live: Typed, next: Typed, version: string, managers: Managers, manager: string, rules: Rules): Managers {
  const comparison = filtered(compare(live.value, next.value, live.type), rules.filters?.[version]);
  const left = takeAway(live, next, { version, comparison }, reconciled(live, version, managers, rules), manager, rules);
  const { removed, modified, added } = comparison;
  const own = union(union(difference(left.get(manager)?.set ?? emptySet, removed), modified), added);
  const set = rules.filters?.[version]?.(own) ?? own;
  if (isEmpty(set)) left.delete(manager);
  else left.set(manager, { set, version, applied: false, agreed: live.type });
  return left;
}

/**
 * Merges an applied value into the live one, takes away what the applier gave up and nobody else manages, and finds
 * out who is in the way. Models structured-merge-diff merge.Updater.Apply
 */
export function apply(
  live: Typed,
  config: Typed,
  version: string,
  managers: Managers,
  manager: string,
  { force, ...rules }: Rules & { readonly force: boolean },
): Applied {
  const current = reconciled(live, version, managers, rules);
  const merged = { value: merge(live.value, config.value, live.type), type: live.type };
  const last = current.get(manager);
  const filter = rules.filters?.[version];
  const spoken = toFieldSet(config.value, config.type);
  current.set(manager, {
    set: filter === undefined ? spoken : filter(spoken),
    version,
    applied: true,
    time: last?.time,
    agreed: config.type,
  });

  const next = prune(merged, current, manager, last, rules);
  const comparison = filtered(compare(live.value, next.value, live.type), filter);
  if (!force) {
    const conflicts = conflictsWith(live, next, { version, comparison }, current, manager, rules);
    if (conflicts.length > 0) return { conflicts };
  }
  const left = takeAway(live, next, { version, comparison }, current, manager, rules);
  if (isEmpty(left.get(manager)?.set ?? emptySet)) left.delete(manager);
  return { object: sameValue(live.value, next.value) ? undefined : next, managers: left };
}

/** The managers' sets as they are under the types of today. Those of versions that are gone are left out. */
function reconciled(live: Typed, version: string, managers: Managers, rules: Rules): Map<string, Owned> {
  const result = new Map<string, Owned>();
  for (const [name, owned] of managers) {
    const type = owned.version === version ? live.type : rules.convert(live, owned.version)?.type;
    if (type !== undefined) result.set(name, owned.agreed === type ? owned : reconciledWith(owned, type));
  }
  return result;
}

function reconciledWith(owned: Owned, type: Type): Owned {
  return { ...withSet(owned, reconcile(owned.set, type)), agreed: type };
}

type AtVersion = { readonly version: string; readonly comparison: Comparison };

/** The comparison of the two objects as each manager sees it, in the version of its set; made once for each version. */
function comparisons(live: Typed, next: Typed, own: AtVersion, rules: Rules): (version: string) => Comparison | undefined {
  const known = new Map<string, Comparison | undefined>([[own.version, own.comparison]]);
  return (version) => {
    if (known.has(version)) return known.get(version);
    const before = rules.convert(live, version);
    const after = rules.convert(next, version);
    const missing = before === undefined || after === undefined;
    const found = missing ? undefined : filtered(compare(before.value, after.value, before.type), rules.filters?.[version]);
    known.set(version, found);
    return found;
  };
}

function conflictsWith(live: Typed, next: Typed, own: AtVersion, managers: Managers, manager: string, rules: Rules): Conflict[] {
  const comparisonAt = comparisons(live, next, own, rules);
  const found: Conflict[] = [];
  for (const [name, owned] of managers) {
    const comparison = name === manager ? undefined : comparisonAt(owned.version);
    if (comparison === undefined) continue;
    const paths = pathsOf(intersection(union(comparison.modified, comparison.added), owned.set));
    for (const path of paths) found.push({ manager: name, path });
  }
  return found;
}

/** The managers without what changed or went under them, and without those who have nothing left. */
function takeAway(live: Typed, next: Typed, own: AtVersion, managers: Managers, manager: string, rules: Rules): Map<string, Owned> {
  const comparisonAt = comparisons(live, next, own, rules);
  const left = new Map<string, Owned>();
  for (const [name, owned] of managers) {
    if (name === manager) {
      left.set(name, owned);
      continue;
    }
    const comparison = comparisonAt(owned.version);
    if (comparison === undefined) continue;
    const set = difference(difference(owned.set, union(comparison.modified, comparison.added)), comparison.removed);
    if (!isEmpty(set)) left.set(name, withSet(owned, set));
  }
  return left;
}
