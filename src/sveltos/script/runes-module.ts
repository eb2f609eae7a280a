import { allocateString, integerArg, newTable, optionalIntegerArg, spend, stringArg, tableArg } from "../../lang/lua/index.ts";
import type { Arguments, LuaFunction, LuaTable, LuaValue, Module } from "../../lang/lua/index.ts";
import { bytesOfRune, chargeRunes, convertCase, isOfClass, isUtf8, replacementRune, runesOf, whitespace, type Rune } from "./rune.ts";

/** The module `runes`: runes are numbers (code points), positions count from 1, lists are tables. */
export const runesModule: Module = {
  bytestorune(...args: LuaValue[]) {
    const [rune] = runesOf(bytesIn(tableArg(args, 1)));
    return rune === undefined || rune.code === replacementRune ? undefined : rune.code;
  },
  bytetostring: (...args: LuaValue[]) => bytesIn(tableArg(args, 1)),
  containsrune: (...args: LuaValue[]) => read(args).some(({ code }) => code === integerArg(args, 2)),
  iscontrol: classed(/^\p{Cc}$/u),
  isdigit: classed(/^\p{Nd}$/u),
  isgraphic: classed(/^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]$/u),
  isinrange: (...args: LuaValue[]) => integerArg(args, 1) >= integerArg(args, 2) && integerArg(args, 1) <= integerArg(args, 3),
  isletter: classed(/^\p{L}$/u),
  islower: classed(/^\p{Lowercase}$/u),
  ismark: classed(/^\p{M}$/u),
  isnumber: classed(/^\p{N}$/u),
  isprint: classed(/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u),
  ispunct: classed(/^\p{P}$/u),
  isspace: classed(whitespace),
  issymbol: classed(/^\p{S}$/u),
  istitle: classed(/^\p{Lt}$/u),
  isupper: classed(/^\p{Uppercase}$/u),
  isvalidutf8: (...args: LuaValue[]) => read(args).length === 0 || isUtf8(stringArg(args, 1)),
  reverserunes: (...args: LuaValue[]) => joined(read(args).toReversed()),
  runeat(...args: LuaValue[]) {
    const at = integerArg(args, 2) - 1;
    const rune = at < 0 ? undefined : runesOf(stringArg(args, 1).slice(at, at + 4))[0];
    return rune === undefined || rune.code === replacementRune ? undefined : rune.code;
  },
  runecount: (...args: LuaValue[]) => read(args).length,
  runeindex(...args: LuaValue[]) {
    const wanted = integerArg(args, 2);
    const from = Math.max(optionalIntegerArg(args, 3, 1) - 1, 0);
    const index = read(args).findIndex(({ code }, position) => position >= from && code === wanted);
    return index < 0 ? undefined : index + 1;
  },
  runerange: (...args: LuaValue[]) => joined(range(args)),
  runeslice: (...args: LuaValue[]) => newTable(read(args).map(({ code }) => code)),
  runesplit: (...args: LuaValue[]) => newTable(split(read(args), integerArg(args, 2))),
  runestring: (...args: LuaValue[]) => args.map((_, index) => bytesOfRune(integerArg(args, index + 1))).join(""),
  runetobytes: (...args: LuaValue[]) => newTable(codesOf(numbersIn(tableArg(args, 1)).map(bytesOfRune).join(""))),
  runewidth(...args: LuaValue[]) {
    const code = integerArg(args, 1);
    return isRune(code) ? bytesOfRune(code).length : undefined;
  },
  stringtobytes: (...args: LuaValue[]) => newTable(codesOf(stringArg(args, 1))),
  tolower: (...args: LuaValue[]) => changed(args, (text) => text.toLowerCase()),
  totitle: (...args: LuaValue[]) => changed(args, (text) => text.toUpperCase()),
  toupper: (...args: LuaValue[]) => changed(args, (text) => text.toUpperCase()),
  validrune: (...args: LuaValue[]) => isRune(integerArg(args, 1)),
} satisfies Readonly<Record<string, LuaFunction>>;

function read(args: Arguments): readonly Rune[] {
  const text = stringArg(args, 1);
  chargeRunes(text);
  return runesOf(text);
}

function classed(pattern: RegExp): LuaFunction {
  return (...args) => isOfClass(integerArg(args, 1), pattern);
}

function changed(args: Arguments, change: (text: string) => string): number {
  const code = integerArg(args, 1);
  return isRune(code) ? convertCase(code, change) : code;
}

function isRune(code: number): boolean {
  return code >= 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}

function joined(all: readonly Rune[]): string {
  return all.map(({ bytes }) => bytes).join("");
}

/** The runes from one position up to, and without, another one; to the end if there is none. */
function range(args: Arguments): readonly Rune[] {
  const all = read(args);
  const end = optionalIntegerArg(args, 3, -1);
  return all.slice(Math.max(optionalIntegerArg(args, 2, 1) - 1, 0), end < 0 ? all.length : Math.max(end - 1, 0));
}

function split(all: readonly Rune[], separator: number): string[] {
  const parts = [""];
  for (const { bytes, code } of all)
    if (code === separator) parts.push("");
    else parts[parts.length - 1] += bytes;
  return parts;
}

function numbersIn(table: LuaTable): number[] {
  spend(table.length);
  allocateString(table.length * 4);
  return table.list.filter((value) => typeof value === "number");
}

function bytesIn(table: LuaTable): string {
  return String.fromCharCode(...numbersIn(table).map((value) => value & 0xff));
}

function codesOf(bytes: string): number[] {
  spend(bytes.length);
  return Array.from(bytes, (byte) => byte.charCodeAt(0));
}
