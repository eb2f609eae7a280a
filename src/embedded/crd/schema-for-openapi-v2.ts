import { callNested, runNested, type Nested } from "../../core/recursion/index.ts";
import type { JsonSchemaProps } from "../schema/index.ts";

/**
 * A structural schema with what OpenAPI v2 can say, so that kubectl copes with it: no junctors, no defaults, nothing below values
 * that may be null or have unknown fields. Models apiextensions pkg/controller/openapi/v2/conversion.go ToStructuralOpenAPIV2
 */
export function schemaForOpenApiV2(schema: JsonSchemaProps): JsonSchemaProps {
  return runNested(partForOpenApiV2(schema));
}

function* partForOpenApiV2(schema: JsonSchemaProps): Nested<JsonSchemaProps> {
  const { allOf: _allOf, oneOf: _oneOf, anyOf: _anyOf, not: _not, default: _default, nullable = false, ...kept } = schema;
  const { type, items, properties, additionalProperties, required, ...rest } = kept;
  const preserves = schema["x-kubernetes-preserve-unknown-fields"] === true;
  const isOpen = nullable || preserves;
  const hasType = !nullable && !(preserves && type === "object") && !(type === "array" && (items === undefined || isOpen));
  const needed = isOpen ? required : required?.filter((name) => properties?.[name]?.nullable !== true);
  const valuesMayBeNull = typeof additionalProperties === "object" && additionalProperties.nullable === true;
  return {
    ...rest,
    ...(hasType && type !== undefined ? { type } : {}),
    ...(needed === undefined || needed.length === 0 || valuesMayBeNull ? {} : { required: needed }),
    ...(items === undefined || isOpen ? {} : { items: yield* callNested(partForOpenApiV2(items)) }),
    ...(properties === undefined || isOpen ? {} : { properties: yield* callNested(fieldsForOpenApiV2(properties)) }),
    ...(typeof additionalProperties === "object"
      ? { additionalProperties: yield* callNested(partForOpenApiV2(additionalProperties)) }
      : additionalProperties === undefined
        ? {}
        : { additionalProperties }),
  };
}

function* fieldsForOpenApiV2(properties: Readonly<Record<string, JsonSchemaProps>>): Nested<Readonly<Record<string, JsonSchemaProps>>> {
  const fields: [string, JsonSchemaProps][] = [];
  for (const [name, child] of Object.entries(properties)) fields.push([name, yield* callNested(partForOpenApiV2(child))]);
  return Object.fromEntries(fields);
}
