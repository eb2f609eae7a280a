import { LruCache } from "../../core/cache/index.ts";
import { jsonText } from "../../core/object/index.ts";
import type { JsonSchemaProps } from "../schema/index.ts";

/** In characters of JSON. All CRDs of a large add-on together have about one million. */
const maxWeight = 16_000_000;

const byContent = new LruCache<string, JsonSchemaProps>({ maxWeight, weightOf: (text) => text.length });
const known = new WeakMap<JsonSchemaProps, JsonSchemaProps>();

/**
 * One object for all schemas of the same content. What is made of a schema can then be kept by its identity: a hundred clusters
 * in one process that have the same CRDs check and compile them once.
 */
export function canonicalSchema(schema: JsonSchemaProps): JsonSchemaProps {
  const found = known.get(schema);
  if (found !== undefined) return found;
  const canonical = byContent.getOrCreate(jsonText(schema), () => schema);
  known.set(schema, canonical);
  return canonical;
}
