import { fieldSchema } from "./prune-unknown-fields.ts";
import type { JsonSchemaProps } from "./json-schema-props.ts";

/** The schema of a field, and how a strategic merge patch merges it. */
type PatchField = {
  readonly schema: JsonSchemaProps | undefined;
  readonly patchStrategy: readonly string[];
  readonly patchMergeKey: string | undefined;
};

/**
 * Steps into a field of an object (or, for a map, under a key). Undefined when the schema does not know the field; the
 * strategies (`merge`, `replace`, `retainKeys`) are empty where the schema names none.
 */
export function patchFieldOf(schema: JsonSchemaProps, field: string): PatchField | undefined {
  const known = fieldSchema(schema, field);
  return known === undefined ? undefined : { schema: known.schema, ...strategyOf(known.schema) };
}

function strategyOf(schema: JsonSchemaProps | undefined): Omit<PatchField, "schema"> {
  const strategy = schema?.["x-kubernetes-patch-strategy"] ?? "";
  const patchMergeKey = schema?.["x-kubernetes-patch-merge-key"];
  return { patchStrategy: strategy === "" ? [] : strategy.split(","), patchMergeKey };
}
