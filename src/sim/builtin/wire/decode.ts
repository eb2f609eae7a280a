import { isFields, type KubeObject } from "../../../object/index.ts";
import { parseQuantity } from "../quantity.ts";
import { shapeNameOf, shapeOf, type Type } from "./shape.ts";

const goTypes: Readonly<Record<string, string>> = { s: "string", b: "bool", n: "int32", l: "int64", d: "int", f: "float64" };
const jsTypes: Readonly<Record<string, string>> = { s: "string", b: "boolean", n: "number", l: "number", d: "number", f: "number" };

/**
 * Why the server's decoder would not take this object, in its words, or undefined. The answer to such a body is a 400:
 * `Deployment in version "v1" cannot be handled as a Deployment: ` and this. Models encoding/json UnmarshalTypeError and resource.Quantity
 */
export function decodingProblem(object: KubeObject): string | undefined {
  const name = shapeNameOf(object.apiVersion, object.kind);
  return name === undefined ? undefined : structProblem(object, name, []);
}

function structProblem(value: unknown, name: string, path: readonly string[]): string | undefined {
  if (!isFields(value)) return undefined;
  const { byName } = shapeOf(name);
  const struct = name.slice(name.indexOf(".") + 1);
  for (const [key, item] of Object.entries(value)) {
    const field = byName.get(key);
    const problem = field === undefined ? undefined : problemOf(item, field.type, struct, [...path, key]);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemOf(value: unknown, type: Type, struct: string, path: readonly string[]): string | undefined {
  if (value === null || value === undefined) return undefined;
  switch (type.form) {
    case "pointer":
      return problemOf(value, type.of, struct, path);
    case "list":
      return Array.isArray(value) ? first(value, (item) => problemOf(item, type.of, struct, path)) : mismatch(value, `[]${goNameOf(type.of)}`, struct, path);
    case "map":
      return isFields(value) ? first(Object.values(value), (item) => problemOf(item, type.of, struct, path)) : mismatch(value, `map[string]${goNameOf(type.of)}`, struct, path);
    case "struct":
      return isFields(value) ? structProblem(value, type.name, path) : mismatch(value, goNameOf(type), struct, path);
    case "scalar":
      return scalarProblem(value, type.letter, struct, path);
  }
}

function first(items: readonly unknown[], find: (item: unknown) => string | undefined): string | undefined {
  for (const item of items) {
    const problem = find(item);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function scalarProblem(value: unknown, letter: string, struct: string, path: readonly string[]): string | undefined {
  if (letter === "q") {
    const quantity = parseQuantity(value);
    return typeof quantity === "string" ? quantity : undefined;
  }
  const wanted = jsTypes[letter];
  return wanted === undefined || typeof value === wanted ? undefined : mismatch(value, goTypes[letter] ?? "", struct, path);
}

function goNameOf(type: Type): string {
  if (type.form === "struct") return `v1.${type.name.slice(type.name.indexOf(".") + 1)}`;
  if (type.form === "scalar") return goTypes[type.letter] ?? "string";
  return type.form === "list" ? `[]${goNameOf(type.of)}` : type.form === "map" ? `map[string]${goNameOf(type.of)}` : goNameOf(type.of);
}

function mismatch(value: unknown, type: string, struct: string, path: readonly string[]): string {
  const found = Array.isArray(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value;
  return `json: cannot unmarshal ${found} into Go struct field ${struct}.${path.join(".")} of type ${type}`;
}
