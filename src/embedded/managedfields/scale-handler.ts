import type { ManagedFieldsEntry } from "../../core/object/index.ts";
import { decodeManagedFields, encodeManagedFields } from "./managed-fields-entry.ts";
import { setDifference, hasPath, isEmptySet, fieldSetOf } from "./field-set.ts";
import { withSet, type VersionedSet } from "./versioned-set.ts";
import type { ElementPath } from "./path-element.ts";

const scaleVersion = "autoscaling/v1";
const replicasInScale: ElementPath = ["f:spec", "f:replicas"];

/** The path of the replicas in each version of a resource, as field names; undefined for a version without scale. */
type ReplicasPaths = Readonly<Record<string, readonly string[] | undefined>>;

type Entries = readonly ManagedFieldsEntry[] | undefined;

function stepsOf(names: readonly string[]): ElementPath {
  return names.map((name) => `f:${name}`);
}

/** The managedFields of a Scale: the managers of the parent's replicas. Models scalehandler.go ToSubresource */
export function managedFieldsOfScale(parent: Entries, paths: ReplicasPaths): Entries {
  const found = new Map<string, VersionedSet>();
  for (const [name, owned] of decodeManagedFields(parent)) {
    const path = paths[owned.version];
    if (path === undefined || !hasPath(owned.set, stepsOf(path))) continue;
    found.set(name, { set: fieldSetOf(replicasInScale), version: scaleVersion, applied: owned.applied, time: owned.time });
  }
  return encodeManagedFields(found, undefined);
}

/**
 * The managedFields of the parent after a write to its Scale: the managers of the Scale's replicas own the parent's.
 * Models scalehandler.go ToParent
 */
export function managedFieldsFromScale(parent: Entries, scale: Entries, apiVersion: string, paths: ReplicasPaths): Entries {
  const before = decodeManagedFields(parent);
  const written = decodeManagedFields(scale);
  const result = new Map<string, VersionedSet>();
  const kept = new Set<string>();
  for (const [name, owned] of before) {
    if (!Object.hasOwn(paths, owned.version)) continue;
    const names = paths[owned.version];
    if (names === undefined || !hasPath(owned.set, stepsOf(names)) || written.has(name)) {
      if (names !== undefined && hasPath(owned.set, stepsOf(names))) kept.add(name);
      result.set(name, owned);
      continue;
    }
    const set = setDifference(owned.set, fieldSetOf(stepsOf(names)));
    if (!isEmptySet(set)) result.set(name, withSet(owned, set));
  }
  for (const [name, owned] of written) {
    const names = paths[apiVersion];
    if (kept.has(name) || names === undefined || !hasPath(owned.set, replicasInScale)) continue;
    result.set(name, { set: fieldSetOf(stepsOf(names)), version: apiVersion, applied: owned.applied });
  }
  // A new manager has no time, as upstream.
  return encodeManagedFields(result, parent);
}
