import { declare, global, member, takes, type Cost, type FunctionDeclaration } from "../declaration.ts";
import { fail } from "../failure.ts";
import type { Meter } from "../meter.ts";
import { printValue } from "../print.ts";
import { codePointCount, sizeOf, traversal } from "../size.ts";
import { dynType, intType, listType, stringType } from "../type.ts";
import { Items, type ListValue } from "../value.ts";
import { formatText } from "./format.ts";

const once: Cost = ([text]) => traversal(sizeOf(text));
/** Rounds down, as for lists. */
const sought: Cost = ([text]) => Math.trunc(sizeOf(text) * 0.1);
const twice: Cost = ([text]) => Math.ceil(sizeOf(text) * 0.2);
const joined: Cost = (_args, result) => Math.ceil(sizeOf(result) * 0.2);

function outOfRange(index: bigint): never {
  return fail(`index out of range: ${index}`);
}

/** The code points of a text, of which each takes memory of its own. */
function pointsOf(text: string, meter: Meter): readonly string[] {
  meter.step(text.length >> 1);
  return [...text];
}

function charAt(text: string, index: bigint, meter: Meter): string {
  const points = pointsOf(text, meter);
  if (index < 0n || index > points.length) return outOfRange(index);
  return points[Number(index)] ?? "";
}

/** Charges a search, which may compare the whole part at every position. */
function chargeSearch(points: readonly string[], part: readonly string[], meter: Meter): void {
  meter.step((Math.max(points.length - part.length, 0) * part.length) / 8);
}

function isAt(points: readonly string[], part: readonly string[], at: number): boolean {
  return part.every((point, index) => points[at + index] === point);
}

/** Models cel-go ext/strings.go indexOfOffset */
function indexOf(text: string, part: string, offset: bigint, meter: Meter): bigint {
  if (part === "") return offset;
  if (offset < 0n) return outOfRange(offset);
  const [points, sought] = [pointsOf(text, meter), pointsOf(part, meter)];
  chargeSearch(points, sought, meter);
  for (let at = Number(offset); at <= points.length - sought.length; at++) if (isAt(points, sought, at)) return BigInt(at);
  return -1n;
}

function lastIndexOf(text: string, part: string, offset: bigint, meter: Meter): bigint {
  if (part === "") return offset;
  if (offset < 0n) return outOfRange(offset);
  const [points, sought] = [pointsOf(text, meter), pointsOf(part, meter)];
  chargeSearch(points, sought, meter);
  if (offset >= points.length) return -1n;
  for (let at = Math.min(Number(offset), points.length - sought.length); at >= 0; at--) if (isAt(points, sought, at)) return BigInt(at);
  return -1n;
}

function lastIndexInAll(text: string, part: string, meter: Meter): bigint {
  const size = codePointCount(text);
  if (part === "") return BigInt(size);
  return part.length > text.length ? -1n : lastIndexOf(text, part, BigInt(size - 1), meter);
}

function replace(text: string, old: string, replacement: string, times: bigint, meter: Meter): string {
  const parts = split(text, old, times < 0n ? -1n : times + 1n, meter);
  meter.admit(text.length + parts.length * replacement.length);
  // Go inserts the replacement around every character when the old text is empty.
  if (old === "" && times !== 0n) return replaceNothing(text, replacement, times);
  return times === 0n ? text : parts.join(replacement);
}

function replaceNothing(text: string, replacement: string, times: bigint): string {
  const points = [...text, ""];
  return points.map((point, index) => (times < 0n || index < times ? replacement + point : point)).join("");
}

/** Returns at most `limit` parts, the last one with the rest of the text. A negative limit means no limit. */
function split(text: string, separator: string, limit: bigint, meter: Meter): readonly string[] {
  if (limit === 0n) return [];
  meter.step(text.length >> 2);
  if (separator.length > 32) meter.step((text.length * separator.length) / 2048);
  const parts = separator === "" ? [...text] : text.split(separator);
  if (limit < 0n || limit >= parts.length) return parts;
  const most = Number(limit);
  return [...parts.slice(0, most - 1), parts.slice(most - 1).join(separator)];
}

function substring(text: string, start: bigint, end: bigint | undefined, meter: Meter): string {
  const points = pointsOf(text, meter);
  const stop = end ?? BigInt(points.length);
  if (end !== undefined && start > end) return fail(`invalid substring range. start: ${start}, end: ${end}`);
  if (start < 0n || start > points.length) return outOfRange(start);
  if (stop < 0n || stop > points.length) return outOfRange(stop);
  return points.slice(Number(start), Number(stop)).join("");
}

function join(list: ListValue, separator: string, meter: Meter): string {
  const parts = Array.from({ length: list.size }, (_, index) => {
    const element = list.at(index);
    return typeof element === "string" ? element : fail(`join: invalid input: ${printValue(element)}`);
  });
  meter.admit(parts.reduce((size, part) => size + part.length + separator.length, 0));
  return parts.join(separator);
}

const quotes: Readonly<Record<string, string>> = {
  "\u0007": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  "\\": "\\\\",
  '"': '\\"',
};

function quote(text: string, meter: Meter): string {
  return `"${pointsOf(text.toWellFormed(), meter)
    .map((point) => quotes[point] ?? point)
    .join("")}"`;
}

/** White space as Unicode defines it. */
const blanks = "[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+";
const around = new RegExp(`^${blanks}|${blanks}$`, "g");

/** The string functions of cel-go, in the version that Kubernetes uses. */
export const texts: readonly FunctionDeclaration[] = [
  declare("charAt", member("string_char_at_int", [takes.string, takes.int], stringType, charAt)),
  declare(
    "indexOf",
    member("string_index_of_string", [takes.string, takes.string], intType, (text, part, meter) => indexOf(text, part, 0n, meter), sought),
    member("string_index_of_string_int", [takes.string, takes.string, takes.int], intType, indexOf, sought),
  ),
  declare(
    "lastIndexOf",
    member("string_last_index_of_string", [takes.string, takes.string], intType, lastIndexInAll, sought),
    member("string_last_index_of_string_int", [takes.string, takes.string, takes.int], intType, lastIndexOf, sought),
  ),
  declare(
    "lowerAscii",
    member("string_lower_ascii", [takes.string], stringType, (text) => text.replaceAll(/[A-Z]+/g, (part) => part.toLowerCase()), once),
  ),
  declare(
    "upperAscii",
    member("string_upper_ascii", [takes.string], stringType, (text) => text.replaceAll(/[a-z]+/g, (part) => part.toUpperCase()), once),
  ),
  declare(
    "replace",
    member(
      "string_replace_string_string",
      [takes.string, takes.string, takes.string],
      stringType,
      (text, old, by, meter) => replace(text, old, by, -1n, meter),
      twice,
    ),
    member("string_replace_string_string_int", [takes.string, takes.string, takes.string, takes.int], stringType, replace, twice),
  ),
  declare(
    "split",
    member(
      "string_split_string",
      [takes.string, takes.string],
      listType(stringType),
      (text, separator, meter) => new Items(split(text, separator, -1n, meter)),
      twice,
    ),
    member(
      "string_split_string_int",
      [takes.string, takes.string, takes.int],
      listType(stringType),
      (text, separator, limit, meter) => new Items(split(text, separator, limit, meter)),
      twice,
    ),
  ),
  declare(
    "substring",
    member(
      "string_substring_int",
      [takes.string, takes.int],
      stringType,
      (text, start, meter) => substring(text, start, undefined, meter),
      once,
    ),
    member("string_substring_int_int", [takes.string, takes.int, takes.int], stringType, substring, once),
  ),
  declare(
    "trim",
    member("string_trim", [takes.string], stringType, (text) => text.replaceAll(around, ""), once),
  ),
  declare(
    "join",
    member("list_join", [takes.list(stringType)], stringType, (list, meter) => join(list, "", meter), joined),
    member("list_join_string", [takes.list(stringType), takes.string], stringType, join, joined),
  ),
  declare("format", member("string_format", [takes.string, takes.list(dynType)], stringType, formatText, once)),
  declare("strings.quote", global("strings_quote", [takes.string], stringType, quote, once)),
];

/** String functions of later versions of cel-go. */
export const laterTexts: readonly FunctionDeclaration[] = [
  declare(
    "reverse",
    member("string_reverse", [takes.string], stringType, (text, meter) => pointsOf(text, meter).toReversed().join("")),
  ),
];
