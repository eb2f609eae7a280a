import { isExactInteger } from "../../../core/object/index.ts";
import { formatGoFloat } from "../scalar.ts";
import type { ResolvedScalar } from "./resolve-scalar.ts";
import { mapTarget, type DecodeTarget } from "./decode-target.ts";

/** Formats a scalar as Go's `%#v` does. */
export function scalarSyntax({ kind, value }: ResolvedScalar): string {
  if (kind === "null") return "interface {}(nil)";
  if (kind === "uint") return `0x${BigInt(value ?? 0).toString(16)}`;
  if (typeof value === "string") return goQuote(value);
  return kind === "float" ? floatSyntax(Number(value)) : String(value);
}

function floatSyntax(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  return Number.isFinite(value) ? formatGoFloat(value, 64) : value > 0 ? "+Inf" : "-Inf";
}

function listSyntax(items: readonly string[]): string {
  return `[]interface {}{${items.join(", ")}}`;
}

function mapSyntax(entries: readonly (readonly [string, string])[]): string {
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `map[interface {}]interface {}{${sorted.map(([key, value]) => `${key}:${value}`).join(", ")}}`;
}

/** A formatted scalar. */
class Shown {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The target for a key that is a collection. The error message shows it in Go's syntax. */
export const syntaxTarget: DecodeTarget = {
  ...mapTarget,
  scalar: (resolved) => new Shown(scalarSyntax(resolved)),
  key: scalarSyntax,
};

/** How deep a value is shown: a message is read by people, and a document may be deeper than the stack. */
const deepestShown = 200;

/** Formats a value of `target`, or of syntaxTarget, as `%#v` formats the value that go-yaml decodes. What is very deep in it is left out. */
export function valueSyntax(value: unknown, target: DecodeTarget, depth = 0): string {
  const inner = (item: unknown) => (depth < deepestShown ? valueSyntax(item, target, depth + 1) : "…");
  if (value === null || value === undefined) return "interface {}(nil)";
  if (value instanceof Shown) return value.text;
  if (isExactInteger(value)) return value.rawJSON;
  if (value instanceof Map) return mapSyntax([...(value as Map<string, unknown>)].map(([key, item]) => [key, inner(item)]));
  if (Array.isArray(value)) return listSyntax(value.map(inner));
  // An alias may stand for a value that was built before.
  if (target.isMap(value)) return mapSyntax([...target.entries(value)].map(([key, item]) => [goQuote(key), inner(item)]));
  if (target.isList(value)) return listSyntax(target.itemsOf(value).map(inner));
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : floatSyntax(value);
  return typeof value === "string" ? goQuote(value) : String(value);
}

const escapes: Readonly<Record<string, string>> = {
  "\x07": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  '"': '\\"',
  "\\": "\\\\",
};

/** Quotes a string as Go's strconv.Quote does. */
function goQuote(text: string): string {
  const inner = text.replaceAll(/[^ !#-[\]-~]/gu, (found) => {
    const short = escapes[found];
    if (short !== undefined) return short;
    if (/^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(found)) return found;
    const hex = found.codePointAt(0)!.toString(16);
    if (found.charCodeAt(0) < 0x80) return `\\x${hex.padStart(2, "0")}`;
    return hex.length > 4 ? `\\U${hex.padStart(8, "0")}` : `\\u${hex.padStart(4, "0")}`;
  });
  return `"${inner}"`;
}
