import type { Problem } from "../../../core/fault/index.ts";
import type { Json } from "../../../core/object/index.ts";

/** An OpenAPI v3 schema of a CustomResourceDefinition. */
export type Schema = { readonly [keyword: string]: Json };

/** What a reader collects: problems of the value, and fields that are set and not built. */
export type ReadIssues = { readonly problems: Problem[]; readonly refused: string[] };

/**
 * The description of a field. The schema for the API server, the reader and (by `ValueOf`) the type come from it, so the
 * three cannot disagree.
 *
 * After a problem `read` returns some value of the right type; the caller discards the whole result.
 */
export type Shape<out T> = {
  readonly schema: Schema;
  readonly read: (value: unknown, at: string, issues: ReadIssues) => T;
  /** Every nested field or enum value that the reader refuses: `.path`, `[].kind=Bucket`. */
  readonly notBuilt?: readonly string[];
};

export type Presence = "optional" | "defaulted" | "assumed" | "refused";

/** An optional field of an object. A required field is its bare Shape. */
export type Field<out T, P extends Presence> = {
  readonly shape: Shape<T>;
  readonly presence: P;
  readonly defaultValue?: unknown;
};

/** A field that may be left out. */
export function optional<T>(shape: Shape<T>): Field<T, "optional"> {
  return { shape, presence: "optional" };
}

/** A field with a default that the API server sets. */
export function defaulted<const T, D extends T>(shape: Shape<T>, defaultValue: D): Field<T, "defaulted"> {
  return { shape, presence: "defaulted", defaultValue };
}

/** A field with a default that only the reader sets: the stored object stays as written. */
export function assumed<const T, D extends T>(shape: Shape<T>, defaultValue: D): Field<T, "assumed"> {
  return { shape, presence: "assumed", defaultValue };
}

/**
 * A field that the API server accepts because Sveltos has it, and that Sluice does not build. The reader refuses it unless
 * its value has no effect (its default, or empty).
 */
export function refused<T>(shape: Shape<T>, defaultValue?: T): Field<T, "refused"> {
  return defaultValue === undefined ? { shape, presence: "refused" } : { shape, presence: "refused", defaultValue };
}

/** The type of the value of a Shape or a Field. */
export type ValueOf<S> = S extends Shape<infer T> ? T : S extends Field<infer T, Presence> ? T : never;

/** Adds the problem of a value: `found 3, expected a string`. */
export function mismatch(value: unknown, expected: string, at: string, issues: ReadIssues): void {
  issues.problems.push({ at, message: `found ${shown(value)}, expected ${expected}` });
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
