import type { ManagedFieldsEntry } from "../../core/object/index.ts";
import type { FieldSet } from "./field-set.ts";
import type { Filter } from "./filter.ts";
import type { Type } from "./type.ts";

/** A value with the type that it fits. */
export type Typed = { readonly value: unknown; readonly type: Type };

/** What somebody manages: the fields, the version they are spelled in, and whether they were applied or written. */
export type Owned = {
  readonly set: FieldSet;
  readonly version: string;
  readonly applied: boolean;
  /** When its manager last changed something. */
  readonly time?: string | undefined;
  /** The type that the set is known to agree with, since it was made or looked through under it. */
  readonly agreed?: Type | undefined;
  /** What managedFields says of it, for as long as nothing changes. */
  readonly entry?: ManagedFieldsEntry | undefined;
};

/** By the name of who manages. */
export type Managers = ReadonlyMap<string, Owned>;

export type Rules = {
  /** The object in another version; undefined when there is no such version, whose managers are then forgotten. */
  readonly convert: (object: Typed, version: string) => Typed | undefined;
  /** What a write in this version cannot change. */
  readonly filters?: Readonly<Record<string, Filter>>;
};

/** The same manager with another set. */
export function withSet(owned: Owned, set: FieldSet): Owned {
  const { version, applied, time, agreed } = owned;
  return owned.set === set ? owned : { set, version, applied, time, agreed };
}
