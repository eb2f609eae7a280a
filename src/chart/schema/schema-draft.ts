import { GoList, GoMap, type GoValue } from "../../lang/template/index.ts";
import { escaped } from "./validation-error.ts";

/** A version of JSON Schema. */
export type SchemaDraft = {
  readonly version: number;
  readonly url: string;
  /** The keyword that sets a schema's id. */
  readonly id: "id" | "$id";
  /** The keywords with subschemas: in the keyword itself, in its map, in its list. */
  readonly single: readonly string[];
  readonly mapped: readonly string[];
  readonly listed: readonly string[];
};

const draft4: SchemaDraft = {
  version: 4,
  url: "http://json-schema.org/draft-04/schema",
  id: "id",
  single: ["not", "additionalProperties", "items", "additionalItems"],
  mapped: ["definitions", "properties", "patternProperties", "dependencies"],
  listed: ["allOf", "anyOf", "oneOf", "items"],
};
const draft6: SchemaDraft = {
  ...draft4,
  version: 6,
  url: "http://json-schema.org/draft-06/schema",
  id: "$id",
  single: [...draft4.single, "propertyNames", "contains"],
};
const draft7: SchemaDraft = {
  ...draft6,
  version: 7,
  url: "http://json-schema.org/draft-07/schema",
  single: [...draft6.single, "if", "then", "else"],
};
const draft2019: SchemaDraft = {
  ...draft7,
  version: 2019,
  url: "https://json-schema.org/draft/2019-09/schema",
  single: [...draft7.single, "unevaluatedProperties", "unevaluatedItems", "contentSchema"],
  mapped: [...draft7.mapped, "$defs", "dependentSchemas"],
};
export const latest: SchemaDraft = {
  ...draft2019,
  version: 2020,
  url: "https://json-schema.org/draft/2020-12/schema",
  listed: [...draft2019.listed, "prefixItems"],
};

const drafts: readonly SchemaDraft[] = [draft4, draft6, draft7, draft2019, latest];

/** The draft that a `$schema` names. Undefined when it names none. */
export function draftNamed(url: string): SchemaDraft | undefined {
  const [address = "", fragment = ""] = url.split("#", 2);
  if (fragment !== "") return undefined;
  const path = address.replace(/^https?:/, "");
  return path === "//json-schema.org/schema" ? latest : drafts.find((each) => each.url.replace(/^https?:/, "") === path);
}

/** The subschemas of a schema, with their pointers. */
export function* schemasIn(draft: SchemaDraft, schema: GoMap, pointer: string): Generator<readonly [string, GoValue]> {
  for (const keyword of draft.single) if (schema.has(keyword)) yield [`${pointer}/${keyword}`, schema.get(keyword)];
  for (const keyword of draft.mapped) {
    const map = schema.get(keyword);
    if (map instanceof GoMap) for (const key of map.sortedKeys()) yield [`${pointer}/${keyword}/${escaped(key)}`, map.get(key)];
  }
  for (const keyword of draft.listed) {
    const list = schema.get(keyword);
    if (list instanceof GoList) for (const [index, item] of list.items.entries()) yield [`${pointer}/${keyword}/${index}`, item];
  }
}

/** The id that a schema gives itself, without the fragment. */
export function idOf(draft: SchemaDraft, schema: GoMap): string {
  if (draft.version < 2019 && schema.has("$ref")) return "";
  const id = schema.get(draft.id);
  return typeof id === "string" ? id.split("#", 1)[0]! : "";
}
