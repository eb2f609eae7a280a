import type { Json } from "../../../core/object/index.ts";
import { mismatch, type Schema, type Shape } from "./shape.ts";

type TextLimits = {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: "byte" | "date-time";
};

export function text(limits: TextLimits = {}): Shape<string> {
  const { minLength = 0, maxLength = Infinity } = limits;
  const pattern = limits.pattern === undefined ? undefined : new RegExp(limits.pattern);
  return {
    schema: { type: "string", ...limits },
    read(value, at, issues) {
      if (typeof value !== "string") mismatch(value, "a string", at, issues);
      else if (value.length < minLength) mismatch(value, minLength === 1 ? "some text" : `at least ${minLength} characters`, at, issues);
      else if (value.length > maxLength) mismatch(value, `at most ${maxLength} characters`, at, issues);
      else if (pattern?.test(value) === false) mismatch(value, `text like ${limits.pattern}`, at, issues);
      else return value;
      return "";
    },
  };
}

/** Text that must not be empty. */
export const nonEmptyText = text({ minLength: 1 });
/** Bytes, in base64. */
export const bytes = text({ format: "byte" });
/** Large base64 data. Its schema has no `format: byte`: the API server checks that by a slow regular expression at every write. */
export const uncheckedBytes = text();
export const time = text({ format: "date-time" });

export function integer(limits: { readonly minimum?: number; readonly format?: "int32" | "int64" } = {}): Shape<number> {
  const { minimum = -Infinity } = limits;
  return {
    schema: { type: "integer", ...limits },
    read(value, at, issues) {
      if (typeof value === "number" && Number.isInteger(value) && value >= minimum) return value;
      mismatch(value, minimum === -Infinity ? "an integer" : `an integer of at least ${minimum}`, at, issues);
      return 0;
    },
  };
}

export const boolShape: Shape<boolean> = {
  schema: { type: "boolean" },
  read(value, at, issues) {
    if (typeof value === "boolean") return value;
    mismatch(value, "true or false", at, issues);
    return false;
  },
};

/** A string enum. */
export function oneOf<const T extends string>(...words: readonly [T, ...T[]]): Shape<T> {
  const known = (value: unknown): value is T => words.some((word) => word === value);
  return {
    schema: { type: "string", enum: words },
    read(value, at, issues) {
      if (known(value)) return value;
      mismatch(value, `one of ${words.join(", ")}`, at, issues);
      return words[0];
    },
  };
}

/** A string enum of which only some values are built. The others are refused. */
export function partlyBuilt<T extends string, const B extends T>(shape: Shape<T>, ...built: readonly [B, ...B[]]): Shape<B> {
  const isBuilt = (word: T): word is B => built.some((other) => other === word);
  const { enum: words } = shape.schema;
  return {
    schema: shape.schema,
    notBuilt: Array.isArray(words) ? words.filter((word) => !built.some((other) => other === word)).map((word) => `=${String(word)}`) : [],
    read(value, at, issues) {
      const word = shape.read(value, at, issues);
      if (isBuilt(word)) return word;
      issues.refused.push(`${at}=${word}`);
      return built[0];
    },
  };
}

/** An integer, or text of this pattern. */
export function integerOrText(pattern: string): Shape<number | string> {
  const form = new RegExp(pattern);
  const either: Json = [{ type: "integer" }, { type: "string" }];
  return {
    schema: { anyOf: either, pattern, "x-kubernetes-int-or-string": true },
    read(value, at, issues) {
      if (typeof value === "number" && Number.isInteger(value)) return value;
      if (typeof value === "string" && form.test(value)) return value;
      mismatch(value, `an integer or text like ${pattern}`, at, issues);
      return 0;
    },
  };
}

/** Adds to the schema of a shape: a description, a list type, a rule. */
export function withSchema<T>(shape: Shape<T>, more: Schema): Shape<T> {
  return { ...shape, schema: { ...shape.schema, ...more } };
}
