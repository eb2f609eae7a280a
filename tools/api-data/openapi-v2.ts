import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ApiGroup } from "../../src/embedded/data/index.ts";
import { orderedDocument } from "../../src/embedded/openapi-v2/index.ts";
import type { FieldEnum } from "./enums.ts";
import { addEnums, type OpenApiNode } from "./openapi.ts";
import { isServed } from "./served.ts";

type Swagger = {
  info: { title: string; version: string };
  paths: Record<string, Record<string, unknown>>;
  definitions: Record<string, OpenApiNode>;
  parameters: Record<string, unknown>;
};

const cbor = /cbor/;

/** The OpenAPI v2 document as an API server publishes it: of what it serves, without CBOR, with the values of enumerations. */
export function openApiV2Of(kubernetes: string, enums: Map<string, FieldEnum[]>, groups: readonly ApiGroup[]): Record<string, unknown> {
  const document = JSON.parse(readFileSync(join(kubernetes, "api/openapi-spec/swagger.json"), "utf8")) as Swagger;
  const [, release = ""] = /@v(\d+\.\d+)\./.exec(kubernetes) ?? [];
  document.info.version = release;
  const names = new Set(groups.map(({ name }) => name));
  for (const path of Object.keys(document.paths)) if (!isServedPath(path, names)) delete document.paths[path];
  for (const item of Object.values(document.paths)) for (const operation of Object.values(item)) withoutCbor(operation);
  for (const [name, fields] of enums) addEnums(document.definitions[name], fields);
  document.parameters = used(document.parameters, "parameters", document.paths);
  document.definitions = used(document.definitions, "definitions", [document.paths, document.parameters]);
  const ordered = orderedDocument(document);
  return { ...ordered, paths: withAggregatorOrder(ordered["paths"] as Record<string, unknown>) };
}

/** The aggregator writes the kind of an operation from a struct, and all other servers from a map. */
function withAggregatorOrder(paths: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => {
      if (!path.startsWith("/apis/apiregistration.k8s.io/")) return [path, item];
      const text = JSON.stringify(item).replaceAll(/("kind":"APIService"),("version":"v1")/g, "$2,$1");
      return [path, JSON.parse(text) as unknown];
    }),
  );
}

function isServedPath(path: string, groups: ReadonlySet<string>): boolean {
  const [, root = "", group = "", version = ""] = path.split("/");
  if (root !== "apis") return root !== "logs";
  return group === "" || (groups.has(group) && (version === "" || isServed(version)));
}

function withoutCbor(operation: unknown): void {
  const lists = operation as Record<string, string[] | undefined>;
  for (const key of ["consumes", "produces"]) {
    const types = lists[key];
    if (Array.isArray(types)) lists[key] = types.filter((type) => !cbor.test(type));
  }
}

/** Those that are referred to, directly and indirectly. */
function used<T>(all: Record<string, T>, part: string, from: unknown): Record<string, T> {
  const found = new Map<string, T>();
  const reference = new RegExp(`"#/${part}/([^"]+)"`, "g");
  const wanted: unknown[] = [from];
  for (let next = wanted.pop(); next !== undefined; next = wanted.pop()) {
    for (const [, name = ""] of JSON.stringify(next).matchAll(reference)) {
      const value = all[name];
      if (found.has(name) || value === undefined) continue;
      found.set(name, value);
      wanted.push(value);
    }
  }
  return Object.fromEntries(found);
}
