import { Fault } from "../../core/fault/index.ts";
import { isFields, type Fields, type Json } from "../../core/object/index.ts";
import { callNested, runNested, type Nested } from "../../core/recursion/index.ts";
import {
  commonTypes,
  untypedAtomic,
  untypedDeduced,
  type Atom,
  type FieldDef,
  type ListDef,
  type MapDef,
  type Relationship,
  type ScalarType,
  type MergeSchema,
  type TypeDef,
  type TypeRef,
} from "./merge-schema.ts";

/** One OpenAPI v3 schema, or the structural schema of a CRD, as JSON. */
export type OpenApiSchema = Fields;

/**
 * The merge schema of the models of an OpenAPI v3 document, by name. Throws for a model without the necessary markers
 * (a keyed list without keys, a list without items). Models kube-openapi pkg/schemaconv
 */
export function schemaFromOpenApi(
  models: Readonly<Record<string, OpenApiSchema>>,
  { preserveUnknownFields = false }: { readonly preserveUnknownFields?: boolean } = {},
): MergeSchema {
  const problems: string[] = [];
  const types: TypeDef[] = [];
  for (const [name, model] of Object.entries(models)) {
    if (typeof model["$ref"] === "string") continue;
    const special = specialTypes[name];
    types.push({ name, ...(special ?? runNested(atomOf(model, { name, preserve: preserveUnknownFields, problems }))) });
  }
  if (problems.length > 0) throw new Fault("convert OpenAPI models to a merge schema", problems.join("\n"), { final: true });
  return { types: [...types, ...commonTypes] };
}

/** Models whose JSON differs from their schema. */
const specialTypes: Readonly<Record<string, Atom>> = {
  "io.k8s.apimachinery.pkg.api.resource.Quantity": { scalar: "untyped" },
  "io.k8s.apimachinery.pkg.runtime.RawExtension": atomic(),
};

function atomic(): Atom {
  const { name: _, ...atom } = commonTypes[0]!;
  return atom;
}

/** The position of a conversion; `preserve` is inherited by all nodes below. */
type At = { readonly name: string; readonly preserve: boolean; readonly problems: string[] };

function report({ name, problems }: At, problem: string): void {
  problems.push(`${name}: ${problem}`);
}

function* atomOf(model: OpenApiSchema, at: At): Nested<Atom> {
  const here = model["x-kubernetes-preserve-unknown-fields"] === true ? { ...at, preserve: true } : at;
  const type = Array.isArray(model["type"]) ? model["type"][0] : model["type"];
  switch (type) {
    case undefined:
    case "":
      return { scalar: "untyped", list: yield* listOf(model, here), map: yield* mapOf(model, here) };
    case "object":
      return { map: yield* mapOf(model, here) };
    case "array":
      return { list: yield* listOf(model, here) };
    case "integer":
    case "number":
    case "boolean":
    case "string":
      return { scalar: scalarOf(type, model["format"]) };
    default:
      report(here, `unrecognized type: '${String(type)}'`);
      return { scalar: "untyped" };
  }
}

/** A string with a format may be sent as another type, so only plain strings have the type string. */
function scalarOf(type: "integer" | "number" | "boolean" | "string", format: unknown): ScalarType {
  if (type === "boolean") return "boolean";
  if (type !== "string") return "numeric";
  return format === undefined || format === "" || format === "byte" ? "string" : "untyped";
}

/** The name that a model refers to, directly or by an `allOf` of one. */
function modelReferenceOf(model: OpenApiSchema): string | undefined {
  const all: unknown = model["allOf"];
  const only: unknown = Array.isArray(all) && all.length === 1 ? all[0] : undefined;
  const ref = model["$ref"] ?? (isFields(only) ? only["$ref"] : undefined);
  return typeof ref === "string" ? ref.slice(ref.lastIndexOf("/") + 1) : undefined;
}

function* refOf(model: OpenApiSchema, at: At): Nested<TypeRef> {
  const namedType = modelReferenceOf(model);
  if (namedType === undefined) return yield* callNested(atomOf(model, { ...at, name: `inlined in ${at.name}` }));
  const elementRelationship = mapRelationship(model, at);
  return elementRelationship === undefined ? { namedType } : { namedType, elementRelationship };
}

function* mapOf(model: OpenApiSchema, at: At): Nested<MapDef> {
  const properties = isFields(model["properties"]) ? model["properties"] : {};
  const fields: FieldDef[] = [];
  for (const [name, property] of Object.entries(properties)) if (isFields(property)) fields.push(yield* fieldOf(name, property, at));
  const elementType = yield* elementTypeOf(model, fields.length === 0, at);
  const elementRelationship = mapRelationship(model, at);
  return {
    ...(fields.length === 0 ? {} : { fields }),
    ...(elementType === undefined ? {} : { elementType }),
    ...(elementRelationship === undefined ? {} : { elementRelationship }),
  };
}

function* fieldOf(name: string, property: OpenApiSchema, at: At): Nested<FieldDef> {
  const type = yield* refOf(property, at);
  const otherwise = property["default"];
  return otherwise === undefined ? { name, type } : { name, type, default: otherwise as Json };
}

/** An object without properties accepts any field; one with properties only those, unless it preserves unknown fields. */
function* elementTypeOf(model: OpenApiSchema, bare: boolean, at: At): Nested<TypeRef | undefined> {
  const additional = model["additionalProperties"];
  if (isFields(additional)) return yield* refOf(additional, at);
  if (additional === undefined || additional === null) return at.preserve || bare ? { namedType: untypedDeduced } : undefined;
  return additional === true ? { namedType: untypedDeduced } : undefined;
}

function* listOf(model: OpenApiSchema, at: At): Nested<ListDef> {
  const { elementRelationship, keys } = listRelationship(model, at);
  const items = model["items"];
  if (!isFields(items) && model["type"] !== undefined && model["type"] !== "") report(at, "`items` must be specified on arrays");
  const elementType = isFields(items) ? yield* refOf(items, at) : { namedType: untypedAtomic };
  return { elementType, elementRelationship, ...(keys === undefined ? {} : { keys }) };
}

type ListRelationship = { readonly elementRelationship: Relationship; readonly keys?: readonly string[] };

function listRelationship(model: OpenApiSchema, at: At): ListRelationship {
  const type = model["x-kubernetes-list-type"];
  if (type === undefined) return relationshipFromPatch(model, at);
  switch (type) {
    case "atomic":
      return { elementRelationship: "atomic" };
    case "set":
      return { elementRelationship: "associative" };
    case "map": {
      const keys: unknown = model["x-kubernetes-list-map-keys"];
      if (Array.isArray(keys)) return { elementRelationship: "associative", keys: keys.filter((key) => typeof key === "string") };
      report(at, keys === undefined ? "missing map keys" : `uninterpreted map keys: ${JSON.stringify(keys)}`);
      return { elementRelationship: "associative" };
    }
    default:
      report(at, `unknown list type ${String(type)}`);
      return { elementRelationship: "atomic" };
  }
}

/** The patch strategy of lists without a list type. */
function relationshipFromPatch(model: OpenApiSchema, at: At): ListRelationship {
  const strategy = model["x-kubernetes-patch-strategy"];
  const key = model["x-kubernetes-patch-merge-key"];
  switch (strategy) {
    case undefined:
    case "retainKeys":
      return { elementRelationship: "atomic" };
    case "merge":
    case "merge,retainKeys":
      return typeof key === "string" ? { elementRelationship: "associative", keys: [key] } : { elementRelationship: "associative" };
    default:
      report(at, `unknown patch strategy ${String(strategy)}`);
      return { elementRelationship: "atomic" };
  }
}

function mapRelationship(model: OpenApiSchema, at: At): Relationship | undefined {
  const type = model["x-kubernetes-map-type"];
  if (type === undefined) return undefined;
  if (type === "atomic") return "atomic";
  if (type !== "granular") report(at, `unknown map type ${String(type)}`);
  return type === "granular" ? "separable" : undefined;
}
