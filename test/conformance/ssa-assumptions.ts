/** What a recording of server-side apply leaves out, and all that it may have been. */
import {
  excluding,
  fieldSetOf,
  type FieldSetFilter,
  type MergeSchema,
  type MergeType,
  type TypeDef,
  type TypedValue,
} from "../../src/embedded/managedfields/index.ts";
import type { SsaCase } from "./ssa-case.ts";

type Convert = (object: TypedValue, version: string, type: MergeType) => TypedValue | undefined;

export type SsaAssumptions = {
  readonly convert: Convert;
  readonly filters: Readonly<Record<string, FieldSetFilter>>;
  readonly changedSchema: MergeSchema | undefined;
};

export function ssaAssumptionsFor({ schema, steps }: SsaCase): SsaAssumptions[] {
  const changes = steps.some(({ op }) => op === "fixture.ChangeParser") ? changesOf(schema) : [undefined];
  return convertersFor(schema).flatMap((convert) =>
    ignored.flatMap((filters) => changes.map((changedSchema) => ({ convert, filters, changedSchema }))),
  );
}

/** The versions have the same fields. */
const none: Convert = (object) => object;

/** Fields with the version as suffix get the suffix of the other version. */
const renaming: Convert = (object, _version, type) => ({ value: renamed(object.value, object.type.name, type.name), type });

function renamed(value: unknown, from: string, to: string): unknown {
  return withNames(value, (name) => (name.endsWith(from) ? name.slice(0, -from.length) + to : name));
}

/** One field has a name in each version; converting back requires the newer one. */
const relying: Convert = (object, version, type) => {
  if (object.type.name === version) return object;
  const names = version === "v1" ? ["required_field_bar", "field_foo_rely_on_bar"] : ["field_foo_rely_on_bar", "required_field_bar"];
  if (version === "v1" && !JSON.stringify(object.value).includes("required_field_bar")) throw new Error("missing required field bar");
  return { value: withNames(object.value, (name) => (name === names[0] ? names[1]! : name)), type };
};

/** Each name below the top is one letter, repeated as often as the number of the version. */
const repeating: Convert = (object, version, type) => {
  const times = Number(version.slice(1));
  if (typeof object.value !== "object" || object.value === null) return { value: object.value, type };
  const [first] = Object.entries(object.value).sort(([a], [b]) => (a < b ? -1 : 1));
  if (first === undefined) return { value: object.value, type };
  const [name, value] = first;
  return { value: { [name]: isFilled(value) ? repeated(value, times) : value }, type };
};

function repeated(value: unknown, times: number): unknown {
  if (!isFilled(value)) return null;
  // Where two names become one, the last in their order wins.
  const sorted = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, item]) => [name.charAt(0).repeat(times), repeated(item, times)]));
}

function isFilled(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

function withNames(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => withNames(item, rename));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [rename(name), withNames(item, rename)]));
}

function convertersFor(schema: MergeSchema): Convert[] {
  const names = new Set(schema.types.flatMap((type) => type.map?.fields?.map(({ name }) => name) ?? []));
  if (names.has("scalarField_v1")) return [renaming];
  if (names.has("field_foo_rely_on_bar")) return [relying];
  return names.has("mapOfMapsRecursive") ? [none, repeating] : [none];
}

function ignoring(...path: readonly string[]): FieldSetFilter {
  return excluding(fieldSetOf(path));
}

const ignored: readonly Readonly<Record<string, FieldSetFilter>>[] = [
  {},
  { v1: ignoring("string") },
  { v1: ignoring("obj") },
  { v2: ignoring("mapOfMapsRecursive", "c") },
  Object.fromEntries([1, 2, 3, 4].map((times) => [`v${times}`, ignoring("mapOfMapsRecursive", "c".repeat(times))])),
];

/** A struct becomes atomic or granular; the items of a list get a second key, with or without a default. */
function changesOf(schema: MergeSchema): MergeSchema[] {
  return [
    changed(schema, "struct", (type) => ({
      ...type,
      map: { ...type.map, elementRelationship: type.map?.elementRelationship === "atomic" ? "separable" : "atomic" },
    })),
    withSecondKey(schema, {}),
    withSecondKey(schema, { default: 1 }),
  ];
}

function withSecondKey(schema: MergeSchema, options: { readonly default?: number }): MergeSchema {
  const keyed = changed(schema, "associativeList", (type) =>
    type.list === undefined ? type : { ...type, list: { ...type.list, keys: ["name", "id"] } },
  );
  return changed(keyed, "myElement", (type) => {
    const others = (type.map?.fields ?? []).filter(({ name }) => name !== "id");
    return { ...type, map: { ...type.map, fields: [...others, { name: "id", type: { scalar: "numeric" }, ...options }] } };
  });
}

function changed(schema: MergeSchema, name: string, change: (type: TypeDef) => TypeDef): MergeSchema {
  return { types: schema.types.map((type) => (type.name === name ? change(type) : type)) };
}
