import { keyOf, type ObjectRef } from "../../core/object/index.ts";
import type { Target } from "./claim.ts";
import { namesKind, parseResource } from "./resource.ts";

/** Tells whether a target is about this object. Group, version and kind are compared whatever their case. */
export function fits(target: Target, ref: ObjectRef, releaseNamespace: string): boolean {
  if (target.name !== undefined && target.name !== ref.name) return false;
  const namespace = target.namespace === "" && ref.namespace !== "" ? releaseNamespace : target.namespace;
  if (namespace !== undefined && namespace !== ref.namespace) return false;
  if (!same(target.kind, ref.kind) || !same(target.group, ref.group) || !same(target.version, ref.version)) return false;
  const resource = target.resource === undefined ? undefined : parseResource(target.resource);
  return resource === undefined || namesKind(resource, ref);
}

function same(wanted: string | undefined, found: string): boolean {
  return wanted === undefined || wanted === found || wanted.toLowerCase() === found.toLowerCase();
}

/** Finds what a target is about: the same list for the same target, so that those who ask for many can share it. */
export type Find<T> = (target: Target) => readonly T[];

/**
 * Finds the objects of a release that a target is about, in the order in which the objects were given. Each target is
 * looked up once, by name or by kind where it has one.
 */
export function finder<T>(items: readonly T[], refFor: (item: T) => ObjectRef, releaseNamespace: string): Find<T> {
  const byName = Map.groupBy(items, (item) => refFor(item).name);
  const byKind = Map.groupBy(items, (item) => refFor(item).kind.toLowerCase());
  const byKey = new Map(items.map((item): [string, readonly T[]] => [keyOf(refFor(item)), [item]]));
  const known = new Map<string, readonly T[]>();
  const find = (target: Target): readonly T[] => {
    const named = target.name === undefined ? undefined : (byName.get(target.name) ?? []);
    const ofKind = target.kind === undefined ? undefined : (byKind.get(target.kind.toLowerCase()) ?? []);
    const fewest = [named, ofKind, items].filter((list) => list !== undefined).toSorted((a, b) => a.length - b.length)[0]!;
    return fewest.filter((item) => fits(target, refFor(item), releaseNamespace));
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

function isWhole(target: Target): target is ObjectRef {
  const { group, version, kind, namespace, name, resource } = target;
  const isGiven = group !== undefined && version !== undefined && kind !== undefined && namespace !== undefined && name !== undefined;
  return isGiven && resource === undefined;
}

/** One string for one target; what was left out does not show. */
export function targetText({ group, version, kind, namespace, name, resource }: Target): string {
  return JSON.stringify([resource, group, version, kind, namespace, name]);
}
