import { isFields, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { goStructNameOf, goStructOf, type GoFieldType } from "./go-struct-type.ts";

/** An object of a built-in kind with its fields in the order of the Go structs. Unknown fields are dropped. */
export function inStructOrder(object: KubeObject): KubeObject {
  const name = goStructNameOf(object.apiVersion, object.kind);
  return name === undefined ? object : (orderedFields(object, name) as KubeObject);
}

function ordered(value: unknown, type: GoFieldType): unknown {
  if (type.form === "pointer") return ordered(value, type.of);
  if (type.form === "list") return Array.isArray(value) ? value.map((item) => ordered(item, type.of)) : value;
  if (!isFields(value)) return value;
  if (type.form === "struct") return orderedFields(value, type.name);
  return type.form === "map" ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, ordered(item, type.of)])) : value;
}

function orderedFields(value: Fields, name: string): Fields {
  const present = goStructOf(name).fields.filter((field) => Object.hasOwn(value, field.name));
  return Object.fromEntries(present.map((field) => [field.name, ordered(value[field.name], field.type)]));
}
