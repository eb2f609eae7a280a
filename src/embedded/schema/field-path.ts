import type { JsonSchemaProps } from "./json-schema-props.ts";

/** The target of a rule's `fieldPath` or of a selectable field: the printed path, and its schema. */
type FieldPath = { readonly path: string; readonly names: readonly string[]; readonly schema: JsonSchemaProps };

const escapes: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "'": "'",
  "\\": "\\",
};

/**
 * Resolves a simple JSON path (`.spec.size`, `['a.b']`) in a structural schema. Returns an error message when the path
 * does not exist. Models apiextensions pkg/apiserver/schema/cel/validation.go ValidFieldPath
 */
export function followFieldPath(jsonPath: string, schema: JsonSchemaProps, options: { arrays?: boolean } = {}): FieldPath | string {
  const tokens = tokensOf(jsonPath);
  let found: FieldPath = { path: "", names: [], schema };
  while (tokens.length > 0) {
    const start = tokens.shift();
    if (start !== "." && start !== "[") return `expected [ or . but got: ${start}`;
    if (start === "[" && options.arrays === false) return "array notation is not allowed";
    const token = tokens.shift();
    if (token === undefined) return "unexpected end of JSON path";
    const name = start === "." ? { text: token } : quoted(token);
    if (typeof name === "string") return name;
    const next = stepTo(found, name.text);
    if (typeof next === "string") return next;
    found = next;
    if (start === ".") continue;
    const end = tokens.shift();
    if (end === undefined) return "unexpected end of JSON path";
    if (end !== "]") return `expected ] but got ${end}`;
  }
  return found;
}

/** Names and delimiters; a quoted name is one token, quotes included. */
function tokensOf(jsonPath: string): string[] {
  return jsonPath.match(/'(?:\\.|[^'\\])*'|[.[\]]|[^.[\]']+|'.*/g) ?? [];
}

function quoted(token: string): { text: string } | string {
  if (token.length < 2 || !token.startsWith("'") || !token.endsWith("'")) return `expected single quoted string but got ${token}`;
  const inner = token.slice(1, -1);
  const bad = inner.match(/\\./g)?.find((escape) => escapes[escape.slice(1)] === undefined);
  if (bad !== undefined) return `invalid string literal: invalid escape char ${bad}`;
  return { text: inner.replaceAll(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter) };
}

function stepTo({ path, names, schema }: FieldPath, name: string): FieldPath | string {
  const { properties, additionalProperties } = schema;
  if (properties !== undefined) {
    const child = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (child === undefined) return "does not refer to a valid field";
    return { path: path === "" ? name : `${path}.${name}`, names: [...names, name], schema: child };
  }
  if (typeof additionalProperties !== "object") return "does not refer to a valid field";
  return { path: `${path}[${name}]`, names: [...names, name], schema: additionalProperties };
}
