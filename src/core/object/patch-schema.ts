import { isFields, valueAt, type Fields } from "./field.ts";
import { ownField } from "./plain-object.ts";

/** The patch strategy and merge key that a field declares. */
export type PatchMeta = {
  /** From `x-kubernetes-patch-strategy`: any of `merge`, `replace`, `retainKeys`. */
  readonly strategies: readonly string[];
  /** From `x-kubernetes-patch-merge-key`: the key that identifies list items. Empty when there is none. */
  readonly mergeKey: string;
  /** From `x-kubernetes-list-map-keys`: the keys that identify list items together. Empty when there are none. */
  readonly mapKeys: readonly string[];
  /** The schema of the field's value or, for a list, of its items. */
  readonly inside: PatchSchema;
};

/**
 * The schema that strategic merge needs: the PatchMeta of each field, or undefined for an unknown field. Models
 * apimachinery pkg/util/strategicpatch LookupPatchMeta
 */
export type PatchSchema = {
  readonly name: string;
  field(name: string): PatchMeta | undefined;
};

/** The schema of what declares no fields: any field is accepted, objects merge, lists are replaced. */
export const freePatchSchema: PatchSchema = {
  name: "object",
  field: () => ({ strategies: [], mergeKey: "", mapKeys: [], inside: freePatchSchema }),
};

/**
 * Reads patch metadata from an OpenAPI schema (v2 or v3). `resolve` resolves a `$ref`. Maps and objects without
 * declared fields accept any field: objects merge, lists are replaced.
 */
export function patchSchemaOf(schema: unknown, resolve: (ref: string) => unknown): PatchSchema {
  const { name, declared } = resolved(schema, resolve);
  const properties = valueAt(declared, "properties");
  if (!isFields(properties)) return mapSchema(name, valueAt(declared, "additionalProperties"), resolve);
  return {
    name,
    field: (field) => {
      const found = ownField(properties, field);
      return isFields(found) ? patchMetaOf(found, resolve) : undefined;
    },
  };
}

function mapSchema(name: string, values: unknown, resolve: (ref: string) => unknown): PatchSchema {
  if (!isFields(values)) return freePatchSchema;
  return { name, field: () => patchMetaOf(values, resolve) };
}

function patchMetaOf(field: Fields, resolve: (ref: string) => unknown): PatchMeta {
  const strategy = field["x-kubernetes-patch-strategy"];
  const mergeKey = field["x-kubernetes-patch-merge-key"];
  const mapKeys = field["x-kubernetes-list-map-keys"];
  const { declared } = resolved(field, resolve);
  let inside: PatchSchema | undefined;
  return {
    strategies: typeof strategy === "string" ? strategy.split(",") : [],
    mergeKey: typeof mergeKey === "string" ? mergeKey : "",
    mapKeys: Array.isArray(mapKeys) ? mapKeys.filter((key) => typeof key === "string") : [],
    // Schemas can be recursive (a CRD's own schema is), so nested schemas are read lazily.
    get inside() {
      return (inside ??= patchSchemaOf(ownField(declared, "items") ?? declared, resolve));
    },
  };
}

function resolved(schema: unknown, resolve: (ref: string) => unknown): { name: string; declared: Fields } {
  let name = "object";
  let at = schema;
  while (isFields(at)) {
    const ref = at["$ref"];
    const all = at["allOf"];
    if (typeof ref === "string") {
      name = ref.slice(ref.lastIndexOf(".") + 1);
      at = resolve(ref);
    } else if (Array.isArray(all) && all.length > 0 && !isFields(at["properties"])) at = all[0];
    else return { name, declared: at };
  }
  return { name, declared: {} };
}
