import shapes from "./shapes.json" with { type: "json" };

/**
 * A Go type of the API, as far as it determines the JSON. Letters of scalars: `s` string or bytes, `b` bool, `n l d f`
 * numbers, `q` Quantity, `i` IntOrString, `t` Time, `r` any JSON.
 */
export type GoFieldType =
  | { readonly form: "pointer" | "list" | "map"; readonly of: GoFieldType }
  | { readonly form: "struct"; readonly name: string }
  | { readonly form: "scalar"; readonly letter: string };

/** A field of a Go struct: `omit` is whether the encoder omits it when it is empty, or when it is zero, structs included. */
export type GoStructField = { readonly name: string; readonly type: GoFieldType; readonly omit: "never" | "empty" | "zero" };

type GoStructType = { readonly fields: readonly GoStructField[]; readonly byName: ReadonlyMap<string, GoStructField> };

const kinds: Readonly<Record<string, string>> = shapes.kinds;
const spelled: Readonly<Record<string, Readonly<Record<string, string>>>> = shapes.shapes;
const compiled = new Map<string, GoStructType>();

/** The name of the Go struct of a built-in kind, or undefined for an unknown kind. */
export function goStructNameOf(apiVersion: string, kind: string): string | undefined {
  return kinds[`${apiVersion}/${kind}`];
}

export function goStructOf(name: string): GoStructType {
  const known = compiled.get(name);
  if (known) return known;
  const fields = Object.entries(spelled[name] ?? {}).map(([field, code]) => fieldOf(field, code));
  const shape = { fields, byName: new Map(fields.map((field) => [field.name, field])) };
  compiled.set(name, shape);
  return shape;
}

function fieldOf(name: string, code: string): GoStructField {
  if (code.endsWith("~")) return { name, type: typeOf(code.slice(0, -1)), omit: "zero" };
  if (code.endsWith("?")) return { name, type: typeOf(code.slice(0, -1)), omit: "empty" };
  return { name, type: typeOf(code), omit: "never" };
}

function typeOf(code: string): GoFieldType {
  if (code.startsWith("*")) return { form: "pointer", of: typeOf(code.slice(1)) };
  if (code.startsWith("[]")) return { form: "list", of: typeOf(code.slice(2)) };
  if (code.startsWith("{}")) return { form: "map", of: typeOf(code.slice(2)) };
  return code.length === 1 ? { form: "scalar", letter: code } : { form: "struct", name: code };
}
