import { isFields } from "../../core/object/index.ts";
import { callNested, runNested, type Nested } from "../../core/recursion/index.ts";
import { objectMetaTypeName, objectMetaTypes } from "./object-meta-types.ts";
import { schemaFromOpenApi, type OpenApiSchema } from "./schema-from-openapi.ts";
import { resolverOf, type MergeType } from "./merge-type.ts";

const typeMeta = { apiVersion: { type: "string" }, kind: { type: "string" } } as const;
const metadata = { $ref: `#/components/schemas/${objectMetaTypeName}` } as const;

/**
 * The type of the objects of one version of a CRD: its structural schema with the fields that every object has. Without
 * a schema the type of each field is deduced from its value. Models apiextensions-apiserver
 * pkg/controller/openapi/builder
 */
export function typeOfCustomResource(
  schema: OpenApiSchema | undefined,
  options: { readonly preserveUnknownFields?: boolean } = {},
): MergeType {
  const model = schema === undefined ? { type: "object" } : asObject(runNested(withEmbedded(schema)));
  const { types } = schemaFromOpenApi({ resource: model }, options);
  return resolverOf({ types: [...objectMetaTypes, ...types] }).resolve({ namedType: "resource" });
}

function asObject(schema: OpenApiSchema): OpenApiSchema {
  const properties = isFields(schema["properties"]) ? schema["properties"] : {};
  return { ...schema, properties: { ...properties, ...typeMeta, metadata } };
}

/** Embedded resources have metadata too. */
function* withEmbedded(schema: OpenApiSchema): Nested<OpenApiSchema> {
  const { properties, items, additionalProperties } = schema;
  const inner: OpenApiSchema = {
    ...schema,
    ...(isFields(properties) ? { properties: yield* fieldsWithEmbedded(properties) } : {}),
    ...(isFields(items) ? { items: yield* callNested(withEmbedded(items)) } : {}),
    ...(isFields(additionalProperties) ? { additionalProperties: yield* callNested(withEmbedded(additionalProperties)) } : {}),
  };
  return inner["x-kubernetes-embedded-resource"] === true ? asObject(inner) : inner;
}

function* fieldsWithEmbedded(properties: OpenApiSchema): Nested<OpenApiSchema> {
  const fields: [string, unknown][] = [];
  for (const [name, each] of Object.entries(properties)) fields.push([name, isFields(each) ? yield* callNested(withEmbedded(each)) : each]);
  return Object.fromEntries(fields);
}
