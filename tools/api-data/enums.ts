import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The values a string may have, which a server adds (feature OpenAPIEnums) and the published documents leave out. */
export type FieldEnum = {
  readonly field: string;
  readonly ofItems: boolean;
  readonly values: readonly string[];
  readonly description?: string;
};

const opening = /^func schema_(?:k8sio_api|pkg_apis)_(\w+?)_(v\w+?)_(\w+)\(ref /;
const property = /^\t{5}"([^"]+)": \{$/;
const description = /^(\t+)Description:\s+(".*"),$/;
const values = /^(\t+)Enum:\s+\[\]interface\{\}\{(.*)\},$/;
const tabsOfProperty = 7;

/** The enums of the generated Go definitions, by definition name (`io.k8s.api.core.v1.Container`). */
export function enumsOf(kubernetes: string): Map<string, FieldEnum[]> {
  const found = new Map<string, FieldEnum[]>();
  let [definition, field, text] = ["", "", ""];
  for (const line of readFileSync(join(kubernetes, "pkg/generated/openapi/zz_generated.openapi.go"), "utf8").split("\n")) {
    const [, group, version, kind] = opening.exec(line) ?? [];
    if (line.startsWith("func ")) definition = group === undefined ? "" : `${packageOf(group)}.${version}.${kind}`;
    field = property.exec(line)?.[1] ?? field;
    const said = description.exec(line);
    if (said?.[1]?.length === tabsOfProperty) text = JSON.parse(said[2] ?? '""') as string;
    const [, tabs = "", list = ""] = values.exec(line) ?? [];
    if (tabs === "" || definition === "") continue;
    const ofItems = tabs.length > tabsOfProperty;
    const entry = { field, ofItems, values: JSON.parse(`[${list}]`) as string[], ...(ofItems ? {} : { description: text }) };
    found.set(definition, [...(found.get(definition) ?? []), entry]);
  }
  return found;
}

/** The Go package of a group: only CRDs are in a module of their own. */
function packageOf(group: string): string {
  return group === "apiextensions" ? "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions" : `io.k8s.api.${group}`;
}
