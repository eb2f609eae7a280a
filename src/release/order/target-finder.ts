import { keyOf, type ObjectRef } from "../../core/object/index.ts";
import type { NeedTarget } from "./ordering-constraints.ts";
import { matchesKind, parseResourceArg } from "./resource-arg.ts";

/** Whether a target matches this object. Group, version and kind are compared case-insensitively. */
function matchesTarget(target: NeedTarget, ref: ObjectRef, releaseNamespace: string): boolean {
  if (target.name !== undefined && target.name !== ref.name) return false;
  const namespace = target.namespace === "" && ref.namespace !== "" ? releaseNamespace : target.namespace;
  if (namespace !== undefined && namespace !== ref.namespace) return false;
  if (!same(target.kind, ref.kind) || !same(target.group, ref.group) || !same(target.version, ref.version)) return false;
  const resource = target.resource === undefined ? undefined : parseResourceArg(target.resource);
  return resource === undefined || matchesKind(resource, ref);
}

function same(wanted: string | undefined, found: string): boolean {
  return wanted === undefined || wanted === found || wanted.toLowerCase() === found.toLowerCase();
}

/** Finds the objects of a target. The same target gets the same list, so that callers can share it. */
export type TargetFinder<T> = (target: NeedTarget) => readonly T[];

/** Indexes the objects of a release by name and kind. Results keep the order of the items and are cached per target. */
export function targetFinder<T>(items: readonly T[], refFor: (item: T) => ObjectRef, releaseNamespace: string): TargetFinder<T> {
  const byName = Map.groupBy(items, (item) => refFor(item).name);
  const byKind = Map.groupBy(items, (item) => refFor(item).kind.toLowerCase());
  const byKey = new Map(items.map((item): [string, readonly T[]] => [keyOf(refFor(item)), [item]]));
  const known = new Map<string, readonly T[]>();
  const find = (target: NeedTarget): readonly T[] => {
    const named = target.name === undefined ? undefined : (byName.get(target.name) ?? []);
    const ofKind = target.kind === undefined ? undefined : (byKind.get(target.kind.toLowerCase()) ?? []);
    const fewest = [named, ofKind, items].filter((list) => list !== undefined).toSorted((a, b) => a.length - b.length)[0]!;
    return fewest.filter((item) => matchesTarget(target, refFor(item), releaseNamespace));
  };
  return (target) => {
    const exact = isWhole(target) ? byKey.get(keyOf(target)) : undefined;
    if (exact !== undefined) return exact;
    const key = targetText(target);
    let found = known.get(key);
    if (found === undefined) known.set(key, (found = find(target)));
    return found;
  };
}

function isWhole(target: NeedTarget): target is ObjectRef {
  const { group, version, kind, namespace, name, resource } = target;
  const isGiven = group !== undefined && version !== undefined && kind !== undefined && namespace !== undefined && name !== undefined;
  return isGiven && resource === undefined;
}

/** A key for a target. */
export function targetText({ group, version, kind, namespace, name, resource }: NeedTarget): string {
  return JSON.stringify([resource, group, version, kind, namespace, name]);
}
