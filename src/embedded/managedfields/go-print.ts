import { isFields } from "../../core/object/index.ts";
import { compareText } from "./value.ts";

function sortedNames(value: object): string[] {
  return Object.keys(value).sort(compareText);
}

/** A value as Go's %v prints it. */
export function goValueText(value: unknown): string {
  if (value === null || value === undefined) return "<nil>";
  if (Array.isArray(value)) return `[${value.map(goValueText).join(" ")}]`;
  if (!isFields(value)) return String(value);
  return `map[${sortedNames(value)
    .map((name) => `${name}:${goValueText(value[name])}`)
    .join(" ")}]`;
}

/** A value as Go's %#v prints it. */
export function goSyntax(value: unknown): string {
  if (value === null || value === undefined) return "interface {}(nil)";
  if (typeof value === "string") return JSON.stringify(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(", ")}}`;
  if (!isFields(value)) return String(value);
  return `map[string]interface {}{${sortedNames(value)
    .map((name) => `${JSON.stringify(name)}:${goSyntax(value[name])}`)
    .join(", ")}}`;
}

/** The Go type of a decoded JSON value, as %T prints it. */
export function goTypeName(value: unknown): string {
  if (value === null || value === undefined) return "<nil>";
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number") return Number.isInteger(value) ? "int64" : "float64";
  return Array.isArray(value) ? "[]interface {}" : "map[string]interface {}";
}

/** A value inside a path or a message: strings quoted, nested lists and maps spelled out. Models structured-merge-diff value.ToString */
export function pathValueText(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (typeof value === "string") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(pathValueText).join(",")}]`;
  if (!isFields(value)) return String(value);
  return Object.entries(value)
    .map(([name, item]) => `${name}=${pathValueText(item)}`)
    .join("");
}
