import { fieldSchema } from "./prune.ts";
import type { Schema } from "./schema.ts";

/** What stands under a field: its schema, and how a strategic merge patch is to merge it. */
export type Step = {
  readonly schema: Schema | undefined;
  readonly patchStrategy: readonly string[];
  readonly patchMergeKey: string | undefined;
};

/**
 * Steps into a field of an object (or, for a map, under a key). Undefined when the schema does not know the field; the
 * strategies (`merge`, `replace`, `retainKeys`) are empty where the schema names none.
 */
export function stepInto(schema: Schema, field: string): Step | undefined {
  const known = fieldSchema(schema, field);
  return known === undefined ? undefined : { schema: known.schema, ...strategyOf(known.schema) };
}

function strategyOf(schema: Schema | undefined): Omit<Step, "schema"> {
  const strategy = schema?.["x-kubernetes-patch-strategy"] ?? "";
  const patchMergeKey = schema?.["x-kubernetes-patch-merge-key"];
  return { patchStrategy: strategy === "" ? [] : strategy.split(","), patchMergeKey };
}
