import type { FieldSet } from "./field-set.ts";
import type { Filter } from "./filter.ts";
import type { Type } from "./type.ts";

/** A value with the type that it fits. */
export type Typed = { readonly value: unknown; readonly type: Type };

/** What somebody manages: the fields, the version they are spelled in, and whether they were applied or written. */
export type Owned = { readonly set: FieldSet; readonly version: string; readonly applied: boolean };

/** By the name of who manages. */
export type Managers = ReadonlyMap<string, Owned>;

export type Rules = {
  /** The object in another version; undefined when there is no such version, whose managers are then forgotten. */
  readonly convert: (object: Typed, version: string) => Typed | undefined;
  /** What a write in this version cannot change. */
  readonly filters?: Readonly<Record<string, Filter>>;
};
