import { nearestName } from "../../../core/fault/index.ts";
import { equal, isFields, ownField, setField, type MutableFields, type Fields, type Json } from "../../../core/object/index.ts";
import { mismatch, type Field, type ReadIssues, type Presence, type Schema, type Shape, type ValueOf } from "./shape.ts";

type FieldMap = { readonly [name: string]: Shape<unknown> | Field<unknown, Presence> };

type KeysOf<F extends FieldMap, P extends "required" | Presence> = {
  [K in keyof F]: F[K] extends Field<unknown, infer Q> ? (Q extends P ? K : never) : "required" extends P ? K : never;
}[keyof F];

/** The type of an object with these fields. Refused fields are not part of it. */
export type FieldsOf<F extends FieldMap> = { readonly [K in KeysOf<F, "required" | "defaulted" | "assumed">]: ValueOf<F[K]> } & {
  readonly [K in KeysOf<F, "optional">]?: ValueOf<F[K]>;
} extends infer All
  ? { readonly [K in keyof All]: All[K] }
  : never;

/** An x-kubernetes-validations rule and, if the reader can check it too, the same rule as a function. */
export type SchemaRule = {
  readonly rule: string;
  readonly message: string;
  readonly holds?: (value: Fields) => boolean;
};

type ObjectOptions = {
  readonly description?: string;
  readonly rules?: readonly SchemaRule[];
  readonly atomic?: boolean;
  /** Exactly one of these fields must be set. Unlike a CEL rule, this works for fields whose schema has no type. */
  readonly exactlyOneOf?: readonly string[];
};

/** An object with exactly these fields. Any other field is a problem. */
export function object<F extends FieldMap>(fields: F, options: ObjectOptions = {}): Shape<FieldsOf<F>> {
  const entries = Object.entries(fields);
  return {
    schema: objectSchema(entries, options),
    notBuilt: entries.flatMap(([key, field]) => notBuiltOf(field).map((path) => `.${key}${path}`)),
    read(value, at, issues) {
      const result: MutableFields = {};
      if (isFields(value)) readFields(value, entries, result, at, issues);
      else mismatch(value, "an object", at, issues);
      if (isFields(value)) checkRules(value, options, at, issues);
      return result as FieldsOf<F>;
    },
  };
}

export function list<T>(item: Shape<T>, more: Schema = {}): Shape<readonly T[]> {
  return {
    schema: { type: "array", items: item.schema, ...more },
    notBuilt: (item.notBuilt ?? []).map((path) => `[]${path}`),
    read(value, at, issues) {
      if (Array.isArray(value)) return value.map((entry: unknown, index) => item.read(entry, `${at}[${index}]`, issues));
      mismatch(value, "a list", at, issues);
      return [];
    },
  };
}

/** A map from any key to values of one shape. */
export function map<T>(item: Shape<T>): Shape<Readonly<Record<string, T>>> {
  return {
    schema: { type: "object", additionalProperties: item.schema },
    read(value, at, issues) {
      const result: Record<string, T> = {};
      if (!isFields(value)) mismatch(value, "a map", at, issues);
      else for (const [key, entry] of Object.entries(value)) setField(result, key, item.read(entry, `${at}[${key}]`, issues));
      return result;
    },
  };
}

function objectSchema(
  entries: readonly [string, FieldMap[string]][],
  { description, rules = [], atomic = false, exactlyOneOf }: ObjectOptions,
): Schema {
  const required = entries.filter(([, field]) => !("presence" in field)).map(([key]) => key);
  return {
    type: "object",
    ...(description !== undefined && { description }),
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(entries.map(([key, field]) => [key, fieldSchema(field)])),
    ...(exactlyOneOf !== undefined && { oneOf: exactlyOneOf.map((field) => ({ required: [field] })) }),
    ...(atomic && { "x-kubernetes-map-type": "atomic" }),
    ...(rules.length > 0 && { "x-kubernetes-validations": rules.map(({ rule, message }) => ({ rule, message })) }),
  };
}

function notBuiltOf(field: FieldMap[string]): readonly string[] {
  if (!("presence" in field)) return field.notBuilt ?? [];
  return field.presence === "refused" ? [""] : (field.shape.notBuilt ?? []);
}

function fieldSchema(field: FieldMap[string]): Schema {
  if (!("presence" in field)) return field.schema;
  return field.defaultValue === undefined || field.presence === "assumed"
    ? field.shape.schema
    : { ...field.shape.schema, default: field.defaultValue as Json };
}

function readFields(
  value: Fields,
  entries: readonly [string, FieldMap[string]][],
  result: MutableFields,
  at: string,
  issues: ReadIssues,
): void {
  const known = new Set(entries.map(([key]) => key));
  for (const key of Object.keys(value))
    if (!known.has(key) && !isNoOp(value[key], undefined)) issues.problems.push({ at: below(at, key), message: unknownText(key, known) });
  for (const [key, field] of entries) {
    const found = ownField(value, key) ?? undefined;
    const read = readField(found, field, below(at, key), issues);
    if (read !== undefined) setField(result, key, read);
  }
}

/** Few known names are listed when none is near. */
const listedNames = 6;

function unknownText(key: string, known: ReadonlySet<string>): string {
  const nearest = nearestName(key, [...known]);
  if (nearest !== undefined) return `unknown field: did you mean ${nearest}?`;
  return known.size > listedNames ? "unknown field" : `unknown field; expected one of ${[...known].join(", ")}`;
}

function readField(found: unknown, field: FieldMap[string], at: string, issues: ReadIssues): unknown {
  if (!("presence" in field)) {
    if (found === undefined) issues.problems.push({ at, message: "is missing" });
    return found === undefined ? undefined : field.read(found, at, issues);
  }
  if (field.presence !== "refused") return found === undefined ? field.defaultValue : field.shape.read(found, at, issues);
  if (!isNoOp(found, field.defaultValue)) issues.refused.push(at);
  return undefined;
}

/** Whether a value has the same effect as an absent one. */
function isNoOp(value: unknown, defaultValue: unknown): boolean {
  if (value === undefined || value === null || value === "" || equal(value, defaultValue)) return true;
  if (value === false) return defaultValue !== true;
  if (Array.isArray(value)) return value.length === 0;
  return isFields(value) && Object.keys(value).length === 0;
}

function checkRules(value: Fields, { rules = [], exactlyOneOf }: ObjectOptions, at: string, issues: ReadIssues): void {
  for (const { message, holds } of rules) if (holds?.(value) === false) issues.problems.push({ at, message });
  const found = exactlyOneOf?.filter((field) => (value[field] ?? undefined) !== undefined) ?? [];
  if (exactlyOneOf !== undefined && found.length !== 1)
    issues.problems.push({
      at,
      message: `found ${found.join(" and ") || "neither"}, expected exactly one of ${exactlyOneOf.join(" and ")}`,
    });
}

function below(at: string, key: string): string {
  return at === "" ? key : `${at}.${key}`;
}
