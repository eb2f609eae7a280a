import type { ManagedFieldsEntry } from "../../core/object/index.ts";
import type { FieldSet } from "./field-set.ts";
import type { FieldSetFilter } from "./field-set-filter.ts";
import type { MergeType } from "./merge-type.ts";

/** A value with the type that it fits. */
export type TypedValue = { readonly value: unknown; readonly type: MergeType };

/** What somebody manages: the fields, the version they are spelled in, and whether they were applied or written. */
export type VersionedSet = {
  readonly set: FieldSet;
  readonly version: string;
  readonly applied: boolean;
  /** When its manager last changed something. */
  readonly time?: string | undefined;
  /** The type that the set is known to agree with, since it was made or looked through under it. */
  readonly checkedType?: MergeType | undefined;
  /** What managedFields says of it, for as long as nothing changes. */
  readonly entry?: ManagedFieldsEntry | undefined;
};

/** By the name of who manages. */
export type ManagedFields = ReadonlyMap<string, VersionedSet>;

export type UpdaterRules = {
  /** The object in another version; undefined when there is no such version, whose managers are then forgotten. */
  readonly convert: (object: TypedValue, version: string) => TypedValue | undefined;
  /** What a write in this version cannot change. */
  readonly filters?: Readonly<Record<string, FieldSetFilter>>;
};

/** The same manager with another set. */
export function withSet(owned: VersionedSet, set: FieldSet): VersionedSet {
  const { version, applied, time, checkedType } = owned;
  return owned.set === set ? owned : { set, version, applied, time, checkedType };
}
