import type { ManagedFieldsEntry } from "../../core/object/index.ts";
import type { FieldSet } from "./field-set.ts";
import type { FieldSetFilter } from "./field-set-filter.ts";
import type { MergeType } from "./merge-type.ts";

/** A value with the type that it fits. */
export type TypedValue = { readonly value: unknown; readonly type: MergeType };

/** The fields of a manager, their version, and whether they were applied or updated. */
export type VersionedSet = {
  readonly set: FieldSet;
  readonly version: string;
  readonly applied: boolean;
  /** When its manager last changed a field. */
  readonly time?: string | undefined;
  /** The type that the set was computed or reconciled with. */
  readonly checkedType?: MergeType | undefined;
  /** The managedFields entry that it was decoded from, while nothing changes. */
  readonly entry?: ManagedFieldsEntry | undefined;
};

/** By manager identifier. */
export type ManagedFields = ReadonlyMap<string, VersionedSet>;

export type UpdaterRules = {
  /** The object in another version; undefined when that version is not served, whose managers are then dropped. */
  readonly convert: (object: TypedValue, version: string) => TypedValue | undefined;
  /** The fields that a write in this version resets. */
  readonly filters?: Readonly<Record<string, FieldSetFilter>>;
};

/** The same manager with another set. */
export function withSet(owned: VersionedSet, set: FieldSet): VersionedSet {
  const { version, applied, time, checkedType } = owned;
  return owned.set === set ? owned : { set, version, applied, time, checkedType };
}
