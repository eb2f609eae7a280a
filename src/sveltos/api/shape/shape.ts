import type { Problem } from "../../../core/fault/index.ts";
import type { Json } from "../../../core/object/index.ts";

/** An OpenAPI v3 schema as it stands in a CustomResourceDefinition. */
export type Schema = { readonly [keyword: string]: Json };

/** What a reader finds on its way: what is wrong with the value, and what is set in it that Sluice does not build. */
export type ReadIssues = { readonly problems: Problem[]; readonly refused: string[] };

/**
 * What a value may look like. The schema that the API server checks, the reader and (by `ValueOf`) the type all come
 * from it, so none of the three can say what the others do not.
 *
 * `read` notes what is wrong and then answers some value of the right type: a value whose findings hold a problem is
 * thrown away as a whole.
 */
export type Shape<out T> = {
  readonly schema: Schema;
  readonly read: (value: unknown, at: string, issues: ReadIssues) => T;
  /** Every field, or value of a field, below this one that the reader refuses: `.path`, `[].kind=Bucket`. */
  readonly notBuilt?: readonly string[];
};

export type Presence = "optional" | "defaulted" | "assumed" | "refused";

/** A field of an object that need not be there; a field that must be there is its bare Shape. */
export type Field<out T, P extends Presence> = {
  readonly shape: Shape<T>;
  readonly presence: P;
  readonly defaultValue?: unknown;
};

/** A field that may be left out. */
export function optional<T>(shape: Shape<T>): Field<T, "optional"> {
  return { shape, presence: "optional" };
}

/** A field that the API server fills with this value where it is left out. */
export function defaulted<const T, D extends T>(shape: Shape<T>, defaultValue: D): Field<T, "defaulted"> {
  return { shape, presence: "defaulted", defaultValue };
}

/** As `defaulted`, but only for the reader: the object is stored as it was written. */
export function assumed<const T, D extends T>(shape: Shape<T>, defaultValue: D): Field<T, "assumed"> {
  return { shape, presence: "assumed", defaultValue };
}

/**
 * A field that the API accepts because Sveltos has it and that Sluice does not build. Set to something that changes
 * nothing (its default, or nothing at all) it is passed over; otherwise the reader names it among the refused.
 */
export function refused<T>(shape: Shape<T>, defaultValue?: T): Field<T, "refused"> {
  return defaultValue === undefined ? { shape, presence: "refused" } : { shape, presence: "refused", defaultValue };
}

/** The type of what a Shape or a Field reads. */
export type ValueOf<S> = S extends Shape<infer T> ? T : S extends Field<infer T, Presence> ? T : never;

/** What is wrong with a value, in one manner: `found 3, expected a string`. */
export function mismatch(value: unknown, expected: string, at: string, issues: ReadIssues): void {
  issues.problems.push({ at, message: `found ${shown(value)}, expected ${expected}` });
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
