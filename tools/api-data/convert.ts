import type { Json } from "../../src/object/index.ts";
import type { Atom, FieldDef, ListDef, MapDef, TypeRef } from "../../src/sim/merge/index.ts";
import type { Schema } from "../../src/sim/schema/index.ts";

const deduced: TypeRef = { namedType: "__untyped_deduced_" };
const untyped: TypeRef = { namedType: "__untyped_atomic_" };
const quantity = "io.k8s.apimachinery.pkg.api.resource.Quantity";

/** The structured-merge-diff type of a compact schema. Models kube-openapi pkg/schemaconv. */
export function convert(schema: Schema): Atom {
  switch (schema.type) {
    case "object":
      return { map: mapOf(schema) };
    case "array":
      return { list: listOf(schema) };
    case "boolean":
      return { scalar: "boolean" };
    case "integer":
    case "number":
      return { scalar: "numeric" };
    case "string":
      return { scalar: schema.format === undefined || schema.format === "byte" ? "string" : "untyped" };
    default:
      return schema.oneOf === undefined ? { scalar: "untyped", list: listOf(schema), map: mapOf(schema) } : { scalar: "untyped" };
  }
}

function refOf(schema: Schema): TypeRef {
  if (schema.$ref === undefined) return convert(schema);
  const relationship = relationshipOfMap(schema);
  if (schema.$ref === quantity || relationship === undefined) return { namedType: schema.$ref };
  return { namedType: schema.$ref, elementRelationship: relationship };
}

function mapOf(schema: Schema): MapDef {
  const fields = Object.entries(schema.properties ?? {}).map(([name, child]): FieldDef => {
    return { name, type: refOf(child), ...(child.default === undefined ? {} : { default: child.default as Json }) };
  });
  const relationship = relationshipOfMap(schema);
  const element = elementOf(schema);
  return {
    ...(fields.length === 0 ? {} : { fields }),
    ...(element === undefined ? {} : { elementType: element }),
    ...(relationship === undefined ? {} : { elementRelationship: relationship }),
  };
}

function elementOf(schema: Schema): TypeRef | undefined {
  const additional = schema.additionalProperties;
  if (typeof additional === "object") return refOf(additional);
  if (additional === true) return deduced;
  return schema["x-kubernetes-preserve-unknown-fields"] === true || schema.properties === undefined ? deduced : undefined;
}

function listOf(schema: Schema): ListDef {
  const elementType = schema.items === undefined ? untyped : refOf(schema.items);
  const keys = keysOf(schema);
  if (keys === undefined) return { elementType, elementRelationship: "atomic" };
  return { elementType, elementRelationship: "associative", ...(keys.length === 0 ? {} : { keys }) };
}

/** What tells the members of an associative list apart: nothing but themselves for a set, undefined for an atomic list. */
function keysOf(schema: Schema): readonly string[] | undefined {
  const listType = schema["x-kubernetes-list-type"];
  if (listType === "map") return schema["x-kubernetes-list-map-keys"] ?? [];
  if (listType === "set") return [];
  if (listType !== undefined || !(schema["x-kubernetes-patch-strategy"] ?? "").startsWith("merge")) return undefined;
  const mergeKey = schema["x-kubernetes-patch-merge-key"];
  return mergeKey === undefined ? [] : [mergeKey];
}

function relationshipOfMap(schema: Schema): "atomic" | "separable" | undefined {
  const kind = schema["x-kubernetes-map-type"];
  return kind === undefined ? undefined : kind === "atomic" ? "atomic" : "separable";
}
