import { readFileSync } from "node:fs";
import { join } from "node:path";
import { schemaFromOpenApi, type Atom } from "../../src/embedded/managedfields/index.ts";
import type { JsonSchemaProps } from "../../src/embedded/schema/index.ts";
import { parseYaml } from "../../src/lang/yaml/index.ts";

type Named = Atom & { readonly name: string };

const literal = /typed\.YAMLObject\(`([^`]*)`\)/;

/**
 * The structured-merge-diff types of the built-in kinds by name: those that client-go publishes, and for kinds that it
 * has no apply configuration for (CustomResourceDefinition, APIService, reviews) those that follow from the schemas.
 */
export function mergeTypesOf(clientGo: string, schemas: Readonly<Record<string, JsonSchemaProps>>): Readonly<Record<string, Atom>> {
  const source = readFileSync(join(clientGo, "applyconfigurations/internal/internal.go"), "utf8");
  const { types } = parseYaml(literal.exec(source)?.[1] ?? "") as { types: Named[] };
  const published = types.filter(({ name }) => name in schemas || name.startsWith("__"));
  const found = new Map<string, Atom>(published.map(({ name, ...type }) => [name, type]));
  const missing = Object.entries(schemas).filter(([name]) => !found.has(name) && !name.endsWith("List"));
  for (const { name, ...type } of schemaFromOpenApi(Object.fromEntries(missing)).types) if (!found.has(name)) found.set(name, type);
  return Object.fromEntries([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
