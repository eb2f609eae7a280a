import { groupVersionOf, isFields, type Fields, type KubeObject, type ManagedFieldsEntry } from "../../core/object/index.ts";
import { setDifference, isEmptySet, fieldSetOf, setUnion } from "./field-set.ts";
import type { FieldSetFilter } from "./field-set-filter.ts";
import { withSet, type ManagedFields, type VersionedSet, type UpdaterRules, type TypedValue } from "./versioned-set.ts";
import type { MergeType } from "./merge-type.ts";

/** A kind whose managed fields are tracked. */
export type ManagedKind = {
  /** The version that requests are made in. */
  readonly apiVersion: string;
  readonly kind: string;
  /** Of objects of this version. */
  readonly type: MergeType;
  /**
   * An object of this kind before anything is set. For built-in kinds this is the zero value of the Go type, since
   * structs that are always present have no owner. Default: no fields, as for custom resources.
   */
  readonly blank?: Fields;
  /** The types of the other versions that are served; without it there are none. */
  readonly served?: (apiVersion: string) => MergeType | undefined;
  /** The object in another served version. Default: only its apiVersion changes, as for CRDs with conversion None. */
  readonly convert?: (object: Fields, apiVersion: string) => Fields;
};

/** A write to one object by a field manager. */
export type ManagedWrite = {
  readonly kind: ManagedKind;
  /** The object as it is stored; undefined when this creates it. */
  readonly live: KubeObject | undefined;
  /** The name of the field manager; an empty one is called `unknown`. */
  readonly manager: string;
  /** `status`, `scale` …; none for the object itself. */
  readonly subresource?: string | undefined;
  /** Now, in RFC 3339 with whole seconds. */
  readonly time: string;
  /** The fields that this endpoint resets, such as `excluding(fieldSetOf(["status"]))`. */
  readonly reset?: FieldSetFilter | undefined;
};

const blank: Fields = {};

/** The object as stored, or one without anything set. */
export function liveOrBlank({ kind, live }: ManagedWrite): TypedValue {
  return { value: live ?? kind.blank ?? blank, type: kind.type };
}

export function rulesFor({ kind, reset }: ManagedWrite): UpdaterRules {
  const { apiVersion, type, served, convert } = kind;
  return {
    filters: reset === undefined ? {} : { [apiVersion]: reset },
    convert: (object, version) => {
      const { value } = object;
      if (version === apiVersion && object.type === type) return object;
      const target = version === apiVersion ? type : served?.(version);
      if (target === undefined || !isFields(value)) return undefined;
      return { value: convert === undefined ? { ...value, apiVersion: version } : convert(value, version), type: target };
    },
  };
}

/** Fields that identify an object, and those that only the server writes. Models internal/stripmeta.go */
const stripped = fieldSetOf(
  ["apiVersion"],
  ["kind"],
  ["metadata"],
  ["metadata", "name"],
  ["metadata", "namespace"],
  ["metadata", "creationTimestamp"],
  ["metadata", "selfLink"],
  ["metadata", "uid"],
  ["metadata", "clusterName"],
  ["metadata", "generation"],
  ["metadata", "managedFields"],
  ["metadata", "resourceVersion"],
);

/** A manager's set without those fields; undefined when it is empty. */
export function stripMeta(managers: ManagedFields, manager: string): VersionedSet | undefined {
  const owned = managers.get(manager);
  if (owned === undefined) return undefined;
  const set = setDifference(owned.set, stripped);
  return isEmptySet(set) ? undefined : withSet(owned, set);
}

/** The union of two sets of one manager. */
export function joinVersionedSets(owned: VersionedSet, previous: VersionedSet | undefined): VersionedSet {
  return previous === undefined ? owned : withSet(owned, setUnion(previous.set, owned.set));
}

/** The object with these managedFields; the same object when it has them already. */
export function withManagedFields(object: KubeObject, managedFields: readonly ManagedFieldsEntry[] | undefined): KubeObject {
  if (object.metadata?.managedFields === managedFields) return object;
  if (managedFields !== undefined) return { ...object, metadata: { ...object.metadata, managedFields } };
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** `/q2; example.com/v1, Kind=Widget`: an object as messages of the field manager name it. */
export function titleOfObject({ apiVersion, kind, metadata }: KubeObject): string {
  return `${textOf(metadata?.namespace)}/${textOf(metadata?.name)}; ${titleOfKind(apiVersion, kind)}`;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function titleOfKind(apiVersion: string, kind: string): string {
  const { group, version } = groupVersionOf(apiVersion);
  return `${group}/${version}, Kind=${kind}`;
}
