import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type FieldEnum } from "./enums.ts";
import { isServed } from "./served.ts";

/** A node of a published schema. It is mutable while the data is generated. */
export type OpenApiNode = {
  [keyword: string]: unknown;
  properties?: Record<string, OpenApiNode>;
  items?: OpenApiNode;
  additionalProperties?: OpenApiNode;
  description?: string;
};
export type OpenApiDocument = { paths: Record<string, unknown>; components?: { schemas?: Record<string, OpenApiNode> } };

/** Documents of endpoints that an embedded cluster does not serve: node logs and the keys of service account tokens. */
const withoutEndpoint = /^(logs|openid|\.well-known)/;

/** The published OpenAPI v3 documents of served groups, by the path under `/openapi/v3/` (`apis/apps/v1`). */
export function documentsOf(
  kubernetes: string,
  enums: Map<string, FieldEnum[]>,
  groups: ReadonlySet<string>,
): Map<string, OpenApiDocument> {
  const folder = join(kubernetes, "api/openapi-spec/v3");
  const found = new Map<string, OpenApiDocument>();
  for (const file of readdirSync(folder)) {
    const path = file.replace(/_openapi\.json$/, "").replaceAll("__", "/");
    const [, group = "", version = ""] = path.split("/");
    const known = path.startsWith("apis/") ? groups.has(group) && isServed(version) : !withoutEndpoint.test(path);
    if (!known) continue;
    const document = JSON.parse(readFileSync(join(folder, file), "utf8")) as OpenApiDocument;
    for (const [name, fields] of enums) addEnums(document.components?.schemas?.[name], fields);
    found.set(path, document);
  }
  return found;
}

/** Adds the values that fields may have to a definition. */
export function addEnums(definition: OpenApiNode | undefined, fields: readonly FieldEnum[]): void {
  for (const { field, ofItems, values, description } of fields) {
    const property = definition?.properties?.[field];
    const node = ofItems ? (property?.items ?? property?.additionalProperties) : property;
    if (node === undefined) continue;
    node["enum"] = values;
    if (description !== undefined) node.description = description;
  }
}
