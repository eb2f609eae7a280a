import { isFields, type Fields } from "../../core/object/index.ts";
import { callNested, runNested, type Nested } from "../../core/recursion/index.ts";

/** The own field `name`: a key may be called `constructor` or `__proto__`. */
export function ownField(fields: Fields, name: string): unknown {
  const value = fields[name];
  return value === undefined || Object.hasOwn(fields, name) ? value : undefined;
}

/** Compares text by its UTF-8 bytes, as Go does; JavaScript's own order differs above U+D7FF. */
export function compareText(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let at = 0; at < shorter; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return byteRank(left) - byteRank(right);
  }
  return a.length - b.length;
}

/** A surrogate stands for a character beyond U+FFFF and comes after every single unit. */
function byteRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** A total order of JSON values: numbers, strings, booleans, lists, maps, null. Models structured-merge-diff value.Compare */
export function compareValues(a: unknown, b: unknown): number {
  const order = sortRank(a) - sortRank(b);
  if (order !== 0) return order;
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "string" && typeof b === "string") return compareText(a, b);
  if (typeof a === "boolean" && typeof b === "boolean") return Number(a) - Number(b);
  if (Array.isArray(a) && Array.isArray(b)) return compareLists(a, b);
  if (isFields(a) && isFields(b)) return compareFields(Object.entries(a).sort(byName), Object.entries(b).sort(byName));
  return 0;
}

function sortRank(value: unknown): number {
  if (typeof value === "number") return 0;
  if (typeof value === "string") return 1;
  if (typeof value === "boolean") return 2;
  if (Array.isArray(value)) return 3;
  return value === null || value === undefined ? 5 : 4;
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return compareText(a, b);
}

function compareLists(a: readonly unknown[], b: readonly unknown[]): number {
  const shorter = Math.min(a.length, b.length);
  for (let at = 0; at < shorter; at++) {
    const order = compareValues(a[at], b[at]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Compares sorted name and value pairs, the shorter list first where one begins with the other. */
export function compareFields(a: readonly (readonly [string, unknown])[], b: readonly (readonly [string, unknown])[]): number {
  const shorter = Math.min(a.length, b.length);
  for (let at = 0; at < shorter; at++) {
    const order = compareText(a[at]![0], b[at]![0]) || compareValues(a[at]![1], b[at]![1]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Whether JSON and Go write the text unescaped. A loop is cheaper than a pattern for short text. */
function isPlain(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x20 || unit > 0x7e || unit === 0x22 || unit === 0x26 || unit === 0x3c || unit === 0x3e || unit === 0x5c) return false;
  }
  return true;
}

const escapes: Readonly<Record<string, string>> = {
  "<": "\\u003c",
  ">": "\\u003e",
  "&": "\\u0026",
  "\u2028": "\\u2028",
  "\u2029": "\\u2029",
};

/** A string as Go's encoding/json writes it. */
export function goJsonString(text: string): string {
  if (isPlain(text)) return `"${text}"`;
  return JSON.stringify(text)
    .replace(/[<>&\u2028\u2029]/g, (found) => escapes[found] ?? found)
    .replace(/\\(?:b|f|\\)/g, (found) => (found === "\\b" ? "\\u0008" : found === "\\f" ? "\\u000c" : found));
}

/** JSON as Go's encoding/json writes it: map keys sorted, `<`, `>` and `&` escaped. */
export function fieldValueJson(value: unknown): string {
  return typeof value === "string" ? goJsonString(value) : runNested(jsonOf(value));
}

function* jsonOf(value: unknown): Nested<string> {
  if (typeof value === "string") return goJsonString(value);
  let text = "";
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) text += (at === 0 ? "" : ",") + (yield* callNested(jsonOf(item)));
    return `[${text}]`;
  }
  if (!isFields(value)) return JSON.stringify(value ?? null);
  const pairs = Object.entries(value).filter(([, item]) => item !== undefined);
  for (const [name, item] of pairs.sort(byName))
    text += `${text === "" ? "" : ","}${goJsonString(name)}:${yield* callNested(jsonOf(item))}`;
  return `{${text}}`;
}
