import { apiVersionOf } from "../../src/core/object/index.ts";
import { goTypeOfSchema, type JsonSchemaProps } from "../../src/embedded/schema/index.ts";
import type { GoField } from "./go-fields.ts";
import type { OpenApiDocument, OpenApiNode } from "./openapi.ts";

const prefix = "#/components/schemas/";

/** Documentation for users and for client generators, which a server does not evaluate. */
const dropped = new Set(["description", "externalDocs", "example", "title"]);

/**
 * Every definition of the documents once, in compact form: no descriptions, references by name, `allOf` of one reference as
 * the reference.
 */
export function compactSchemas(documents: Iterable<OpenApiDocument>): Record<string, JsonSchemaProps> {
  const found: Record<string, JsonSchemaProps> = {};
  for (const document of documents) {
    for (const [name, definition] of Object.entries(document.components?.schemas ?? {})) found[name] ??= compact(definition);
  }
  return Object.fromEntries(Object.entries(found).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Definitions that belong to every version of every group (DeleteOptions, WatchEvent): found by their core version. */
const inEveryGroup = 8;

/** Which definition a kind has: `apps/v1/Deployment` → `io.k8s.api.apps.v1.Deployment`. */
export function kindsOf(schemas: Readonly<Record<string, JsonSchemaProps>>): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, schema] of Object.entries(schemas)) {
    const kinds = schema["x-kubernetes-group-version-kind"] ?? [];
    const told = kinds.length < inEveryGroup ? kinds : kinds.filter(({ group }) => group === "");
    for (const gvk of told) found[`${apiVersionOf(gvk)}/${gvk.kind}`] = name;
  }
  return found;
}

/** Adds to each field what the messages of a decoder contain and the schema does not. */
export function withGoFields(
  schemas: Readonly<Record<string, JsonSchemaProps>>,
  goField: (definition: string, name: string) => GoField | undefined,
): Record<string, JsonSchemaProps> {
  const noted = Object.entries(schemas).map(([definition, schema]): [string, JsonSchemaProps] => {
    const fields = Object.entries(schema.properties ?? {}).map(([name, property]): [string, JsonSchemaProps] => {
      return [name, { ...property, ...notesOn(property, goField(definition, name)) }];
    });
    return [definition, fields.length === 0 ? schema : { ...schema, properties: Object.fromEntries(fields) }];
  });
  return Object.fromEntries(noted);
}

function notesOn(property: JsonSchemaProps, { type, embedded }: Partial<GoField> = {}): Pick<JsonSchemaProps, "goType" | "goEmbedded"> {
  const follows = type === undefined || property.$ref !== undefined || type === goTypeOfSchema(property);
  return { ...(follows ? {} : { goType: type }), ...(embedded === undefined ? {} : { goEmbedded: embedded }) };
}

function compact(node: OpenApiNode): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(node)) {
    if (dropped.has(keyword)) continue;
    Object.assign(kept, compactKeyword(keyword, value));
  }
  return kept;
}

function compactKeyword(keyword: string, value: unknown): Record<string, unknown> {
  switch (keyword) {
    case "$ref":
      return { $ref: String(value).slice(prefix.length) };
    case "properties":
      return {
        properties: Object.fromEntries(Object.entries(value as Record<string, OpenApiNode>).map(([name, child]) => [name, compact(child)])),
      };
    case "items":
    case "additionalProperties":
      return { [keyword]: compact(value as OpenApiNode) };
    case "allOf": {
      const [only, ...more] = value as OpenApiNode[];
      if (only === undefined || more.length > 0) throw new Error(`allOf of ${more.length + 1} parts: ${JSON.stringify(value)}`);
      return compact(only);
    }
    default:
      return { [keyword]: value };
  }
}
