import { isFields, type Fields } from "../../../core/object/index.ts";
import { dumpedQuantity } from "./dumped-quantity.ts";
import types from "./template-types.json" with { type: "json" };

// The text that a real controller hashes: go-spew's %#v with sorted keys. Types are printed before values, except for items
// of lists and maps and for what a pointer points to.

type Field = readonly string[];
const structs: Readonly<Record<string, readonly Field[]>> = types.structs;
const aliases: Readonly<Record<string, string>> = types.aliases;

/** A pod template as Go dumps it. */
export function dumpedTemplate(template: unknown): string {
  return dumped(template, "core.PodTemplateSpec", true);
}

/** Both packages are called v1. */
function printed(type: string): string {
  return type.replaceAll(/\b(?:core|meta)\./g, "v1.");
}

function dumped(value: unknown, type: string, withType: boolean): string {
  const shown = withType ? `(${printed(type)})` : "";
  if (type.startsWith("*")) return value === undefined || value === null ? `${shown}<nil>` : shown + dumped(value, type.slice(1), false);
  return shown + content(value, aliases[type] ?? type);
}

function content(value: unknown, type: string): string {
  if (type.startsWith("[]")) return Array.isArray(value) && value.length > 0 ? listContent(value, type.slice(2)) : "<nil>";
  if (type.startsWith("map[")) return isFields(value) && Object.keys(value).length > 0 ? mapContent(value, type) : "<nil>";
  const scalar = scalars[type];
  if (scalar !== undefined) return scalar(value);
  const fields = structs[type];
  if (fields === undefined) throw new TypeError(`a pod template has no ${type}`);
  const given = isFields(value) ? value : {};
  return `{${fields.map(([name = "", json = "", of = ""]) => `${name}:${dumped(json === "" ? given : given[json], of, true)}`).join(" ")}}`;
}

function listContent(items: readonly unknown[], of: string): string {
  return `[${items.map((item) => dumpedItem(item, of)).join(" ")}]`;
}

/** A pointer in a list is marked. */
function dumpedItem(item: unknown, of: string): string {
  return of.startsWith("*") ? `<*>${dumped(item, of.slice(1), false)}` : dumped(item, of, false);
}

function mapContent(entries: Fields, type: string): string {
  const of = type.slice(type.indexOf("]") + 1);
  const keys = Object.keys(entries).sort((a, b) => (a < b ? -1 : 1));
  return `map[${keys.map((key) => `${key}:${dumpedItem(entries[key], of)}`).join(" ")}]`;
}

const text = (value: unknown): string => (value === undefined || value === null ? "" : String(value));
const number = (value: unknown): string => (value === undefined || value === null ? "0" : String(value));

const zeroTime = "{Time:(time.Time){wall:(uint64)0 ext:(int64)0 loc:(*time.Location)<nil>}}";

const scalars: Readonly<Record<string, (value: unknown) => string>> = {
  string: text,
  "types.UID": text,
  bool: (value) => String(value === true),
  int: number,
  int32: number,
  int64: number,
  // Nobody sets times in a template.
  "meta.Time": () => zeroTime,
  "meta.FieldsV1": () => "{Raw:([]uint8)<nil>}",
  "resource.Quantity": dumpedQuantity,
  "intstr.IntOrString": (value) =>
    typeof value === "string"
      ? `{Type:(intstr.Type)1 IntVal:(int32)0 StrVal:(string)${value}}`
      : `{Type:(intstr.Type)0 IntVal:(int32)${number(value)} StrVal:(string)}`,
};
