import {
  allocate,
  allocateString,
  callFirst,
  charged,
  chargeSearch,
  functionArg,
  integerArg,
  newTable,
  raise,
  spend,
  stringArg,
  tableArg,
} from "../../lang/lua/index.ts";
import type { Arguments, LuaFunction, LuaTable, LuaValue, Module } from "../../lang/lua/index.ts";
import { bytesOfRune, chargeRunes, convertCase, isOfClass, runesOf, whitespace, type Rune } from "./rune.ts";

/**
 * The module `strings`: Go's package of that name. Positions are byte offsets from 0, lists are tables, and several results
 * are one table with their names.
 */
export const stringsModule: Module = charged({
  Compare: (...args: LuaValue[]) => compare(stringArg(args, 1), stringArg(args, 2)),
  Contains: (...args: LuaValue[]) => sought(args)[0].includes(stringArg(args, 2)),
  ContainsAny: (...args: LuaValue[]) => first(args, oneOfRunes(args, 2)) !== undefined,
  ContainsFunc: (...args: LuaValue[]) => first(args, satisfying(args, 2)) !== undefined,
  ContainsRune: (...args: LuaValue[]) => first(args, equalTo(args, 2)) !== undefined,
  Count: (...args: LuaValue[]) => countOf(...sought(args)),
  Cut: (...args: LuaValue[]) => cut(...sought(args)),
  CutPrefix(...args: LuaValue[]) {
    const [text, prefix] = [stringArg(args, 1), stringArg(args, 2)];
    const found = text.startsWith(prefix);
    return record({ after: found ? text.slice(prefix.length) : text, found });
  },
  CutSuffix(...args: LuaValue[]) {
    const [text, suffix] = [stringArg(args, 1), stringArg(args, 2)];
    const found = text.endsWith(suffix);
    return record({ before: found ? text.slice(0, text.length - suffix.length) : text, found });
  },
  EqualFold: (...args: LuaValue[]) => folded(stringArg(args, 1)) === folded(stringArg(args, 2)),
  Fields: (...args: LuaValue[]) => newTable(fields(args, isSpace)),
  FieldsFunc: (...args: LuaValue[]) => newTable(fields(args, satisfying(args, 2))),
  HasPrefix: (...args: LuaValue[]) => stringArg(args, 1).startsWith(stringArg(args, 2)),
  HasSuffix: (...args: LuaValue[]) => stringArg(args, 1).endsWith(stringArg(args, 2)),
  Index: (...args: LuaValue[]) => sought(args)[0].indexOf(stringArg(args, 2)),
  IndexAny: (...args: LuaValue[]) => first(args, oneOfRunes(args, 2))?.at ?? -1,
  IndexByte: (...args: LuaValue[]) => stringArg(args, 1).indexOf(String.fromCharCode(integerArg(args, 2) & 0xff)),
  IndexFunc: (...args: LuaValue[]) => first(args, satisfying(args, 2))?.at ?? -1,
  IndexRune: (...args: LuaValue[]) => first(args, equalTo(args, 2))?.at ?? -1,
  Join: (...args: LuaValue[]) => joined(tableArg(args, 1), stringArg(args, 2)),
  LastIndex: (...args: LuaValue[]) => sought(args, 2)[0].lastIndexOf(stringArg(args, 2)),
  LastIndexAny: (...args: LuaValue[]) => last(args, oneOfRunes(args, 2))?.at ?? -1,
  LastIndexByte: (...args: LuaValue[]) => stringArg(args, 1).lastIndexOf(String.fromCharCode(integerArg(args, 2) & 0xff)),
  LastIndexFunc: (...args: LuaValue[]) => last(args, satisfying(args, 2))?.at ?? -1,
  Map(...args: LuaValue[]) {
    const f = functionArg(args, 1);
    const codes = runes(stringArg(args, 2)).map(({ code }) => integerArg([callFirst(f, code)], 1));
    allocateString(codes.length * 4);
    return codes.map((code) => (code < 0 ? "" : bytesOfRune(code))).join("");
  },
  Repeat(...args: LuaValue[]) {
    const [text, count] = [stringArg(args, 1), integerArg(args, 2)];
    if (count < 0) return raise("strings: negative Repeat count");
    allocateString(text.length * count);
    return text.repeat(count);
  },
  Replace: (...args: LuaValue[]) => replaced(...sought(args), stringArg(args, 3), integerArg(args, 4)),
  ReplaceAll: (...args: LuaValue[]) => replaced(...sought(args), stringArg(args, 3), -1),
  Split: (...args: LuaValue[]) => newTable(splitText(...sought(args), -1, false)),
  SplitAfter: (...args: LuaValue[]) => newTable(splitText(...sought(args), -1, true)),
  SplitAfterN: (...args: LuaValue[]) => atMost(args, true),
  SplitN: (...args: LuaValue[]) => atMost(args, false),
  Title: (...args: LuaValue[]) => titled(stringArg(args, 1)),
  ToLower: (...args: LuaValue[]) => recased(stringArg(args, 1), (text) => text.toLowerCase()),
  ToTitle: (...args: LuaValue[]) => recased(stringArg(args, 1), (text) => text.toUpperCase()),
  ToUpper: (...args: LuaValue[]) => recased(stringArg(args, 1), (text) => text.toUpperCase()),
  Trim: (...args: LuaValue[]) => trimmed(args, oneOfRunes(args, 2), "both"),
  TrimFunc: (...args: LuaValue[]) => trimmed(args, satisfying(args, 2), "both"),
  TrimLeft: (...args: LuaValue[]) => trimmed(args, oneOfRunes(args, 2), "left"),
  TrimLeftFunc: (...args: LuaValue[]) => trimmed(args, satisfying(args, 2), "left"),
  TrimPrefix(...args: LuaValue[]) {
    const [text, prefix] = [stringArg(args, 1), stringArg(args, 2)];
    return text.startsWith(prefix) ? text.slice(prefix.length) : text;
  },
  TrimRight: (...args: LuaValue[]) => trimmed(args, oneOfRunes(args, 2), "right"),
  TrimRightFunc: (...args: LuaValue[]) => trimmed(args, satisfying(args, 2), "right"),
  TrimSpace: (...args: LuaValue[]) => trimmed(args, isSpace, "both"),
  TrimSuffix(...args: LuaValue[]) {
    const [text, suffix] = [stringArg(args, 1), stringArg(args, 2)];
    return text.endsWith(suffix) ? text.slice(0, text.length - suffix.length) : text;
  },
} satisfies Readonly<Record<string, LuaFunction>>);

type Test = (rune: Rune) => boolean;

const isSpace: Test = ({ code }) => isOfClass(code, whitespace);

/** Tests for one of the runes of an argument. */
function oneOfRunes(args: Arguments, position: number): Test {
  const codes = new Set(runes(stringArg(args, position)).map(({ code }) => code));
  return ({ code }) => codes.has(code);
}

function equalTo(args: Arguments, position: number): Test {
  const wanted = integerArg(args, position);
  return ({ code }) => code === wanted;
}

/** Tests by a function of the script, which must return a boolean. */
function satisfying(args: Arguments, position: number): Test {
  const f = functionArg(args, position);
  return ({ code }) => {
    const answer = callFirst(f, code);
    return typeof answer === "boolean" ? answer : raise("the function has to return true or false");
  };
}

/** The runes of a text; charges the script for its length. */
function runes(text: string): readonly Rune[] {
  chargeRunes(text);
  return runesOf(text);
}

/** The text and the part that is looked for in it, `times` as dear as a search from the start. */
function sought(args: Arguments, times = 1): [text: string, part: string] {
  const [text, part] = [stringArg(args, 1), stringArg(args, 2)];
  chargeSearch(text, part);
  // Native code has no table to jump by when it searches from the end.
  if (times > 1) spend((text.length * Math.min(part.length, text.length)) / 32);
  return [text, part];
}

function first(args: Arguments, test: Test): Rune | undefined {
  return runes(stringArg(args, 1)).find(test);
}

function last(args: Arguments, test: Test): Rune | undefined {
  return runes(stringArg(args, 1)).findLast(test);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function countOf(text: string, part: string): number {
  if (part === "") return runes(text).length + 1;
  chargeParts(text, part);
  return text.split(part).length - 1;
}

/** Charges the list of the parts between separators. */
function chargeParts(text: string, separator: string): void {
  allocate((text.length / separator.length) * 16);
}

function cut(text: string, separator: string): LuaTable {
  const at = text.indexOf(separator);
  if (at < 0) return record({ before: text, after: "", found: false });
  return record({ before: text.slice(0, at), after: text.slice(at + separator.length), found: true });
}

function record(values: Readonly<Record<string, LuaValue>>): LuaTable {
  const table = newTable();
  for (const [key, value] of Object.entries(values)) table.set(key, value);
  return table;
}

function recased(text: string, change: (text: string) => string): string {
  return runes(text)
    .map(({ code, bytes }) => (code < 0x80 ? change(bytes) : bytesOfRune(convertCase(code, change))))
    .join("");
}

function folded(text: string): string {
  return recased(
    recased(text, (each) => each.toUpperCase()),
    (each) => each.toLowerCase(),
  );
}

function titled(text: string): string {
  let isInside = false;
  return runes(text)
    .map(({ code, bytes }) => {
      const isFirst = !isInside;
      isInside =
        code === 0x5f || isOfClass(code, /^[\p{L}\p{Nd}]$/u) || (code < 0x80 && !isSpace({ code, bytes, at: 0 }) && /\w/.test(bytes));
      return isFirst ? recased(bytes, (each) => each.toUpperCase()) : bytes;
    })
    .join("");
}

function fields(args: Arguments, isGap: Test): string[] {
  const found: string[] = [];
  let isOpen = false;
  for (const rune of runes(stringArg(args, 1))) {
    const isBetween = isGap(rune);
    if (!isBetween && isOpen) found[found.length - 1] += rune.bytes;
    else if (!isBetween) found.push(rune.bytes);
    isOpen = !isBetween;
  }
  return found;
}

function trimmed(args: Arguments, test: Test, side: "left" | "right" | "both"): string {
  const all = runes(stringArg(args, 1));
  let [from, to] = [0, all.length];
  if (side !== "right") while (from < to && test(all[from]!)) from++;
  if (side !== "left") while (to > from && test(all[to - 1]!)) to--;
  return all
    .slice(from, to)
    .map(({ bytes }) => bytes)
    .join("");
}

function joined(table: LuaTable, separator: string): string {
  const texts = table.list.filter((value) => typeof value === "string");
  allocateString(texts.reduce((sum, text) => sum + text.length + separator.length, 0));
  return texts.join(separator);
}

/** At most `most` parts, of which the last is the rest; all parts for a negative number. */
function splitText(text: string, separator: string, most: number, withSeparator: boolean): string[] {
  if (separator !== "") chargeParts(text, separator);
  const parts = separator === "" ? runes(text).map(({ bytes }) => bytes) : text.split(separator);
  spend(parts.length);
  if (withSeparator) allocateString(text.length);
  const kept = most < 0 || parts.length <= most ? parts : [...parts.slice(0, most - 1), parts.slice(most - 1).join(separator)];
  return withSeparator ? kept.map((part, index) => (index < kept.length - 1 ? part + separator : part)) : kept;
}

function atMost(args: Arguments, withSeparator: boolean): LuaTable | undefined {
  const most = integerArg(args, 3);
  return most === 0 ? undefined : newTable(splitText(...sought(args), most, withSeparator));
}

function replaced(text: string, old: string, put: string, most: number): string {
  if (old !== "") chargeParts(text, old);
  const parts = old === "" ? ["", ...runes(text).map(({ bytes }) => bytes), ""] : text.split(old);
  const count = most < 0 ? parts.length - 1 : Math.min(most, parts.length - 1);
  allocateString(text.length + count * put.length);
  return (
    parts.slice(0, count + 1).join(put) +
    parts
      .slice(count + 1)
      .map((part) => (old === "" ? part : old + part))
      .join("")
  );
}
