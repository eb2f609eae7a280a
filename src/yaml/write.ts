import { isExactInteger, isFields, type Fields } from "../object/index.ts";
import { compareKeys } from "./key-order.ts";
import { floatText } from "./scalar.ts";
import { textOf } from "./write-text.ts";

/** Writes a JSON value as `kubectl -o yaml` prints it: keys in go-yaml's order, and every string so that it reads back as itself. */
export function writeYaml(value: unknown): string {
  if (isBranch(value)) return `${branch(value, 0)}\n`;
  // How far a block scalar that is the whole document is indented, parsers do not agree on when its first line is.
  if (typeof value === "string" && /^[ \n]/.test(value)) return `${textOf(value, { column: 0, indent: 2, isKey: true })}\n`;
  return `${leaf(value, 0, 2)}\n`;
}

function isBranch(value: unknown): value is Fields | readonly unknown[] {
  if (Array.isArray(value)) return value.length > 0;
  return isFields(value) && !isExactInteger(value) && Object.values(value).some((item) => item !== undefined);
}

/** The lines of an object or a list; the first begins at the place where the text will stand, the others at `indent`. */
function branch(value: Fields | readonly unknown[], indent: number): string {
  const gap = `\n${" ".repeat(indent)}`;
  if (Array.isArray(value)) return value.map((item) => nested("-", item, indent)).join(gap);
  const fields = value as Fields;
  const keys = Object.keys(fields).filter((key) => fields[key] !== undefined);
  return keys
    .toSorted(compareKeys)
    .map((key) => field(key, fields[key], indent))
    .join(gap);
}

function field(key: string, value: unknown, indent: number): string {
  // Longer keys, and those of several lines, need the form with a question mark.
  if (Buffer.byteLength(key) > 128 || key.includes("\n")) {
    const name = textOf(key, { column: indent + 2, indent: indent + 2, isKey: false });
    return `? ${name}\n${" ".repeat(indent)}${nested(":", value, indent)}`;
  }
  const name = `${textOf(key, { column: indent, indent, isKey: true })}:`;
  if (!isBranch(value)) return `${name} ${leaf(value, indent + [...name].length + 1, indent + 2)}`;
  const inner = Array.isArray(value) ? indent : indent + 2;
  return `${name}\n${" ".repeat(inner)}${branch(value, inner)}`;
}

/** What follows `-` or `:` on the same line. */
function nested(sign: string, value: unknown, indent: number): string {
  return `${sign} ${isBranch(value) ? branch(value, indent + 2) : leaf(value, indent + 2, indent + 2)}`;
}

function leaf(value: unknown, column: number, indent: number): string {
  if (typeof value === "string") return textOf(value, { column, indent, isKey: false });
  if (typeof value === "number") return numberText(value);
  if (typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return "[]";
  if (isExactInteger(value)) return value.rawJSON;
  return value === null || value === undefined ? "null" : "{}";
}

function numberText(value: number): string {
  if (!Number.isFinite(value)) return "null";
  if (Object.is(value, -0)) return "-0";
  return Number.isInteger(value) && value < 2 ** 64 && value >= -(2 ** 63) ? String(value) : floatText(value, 64);
}
