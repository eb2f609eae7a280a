import { callAll } from "../run/call.ts";
import { luaGetTable } from "../run/access.ts";
import { allocate, allocateString, machine, raise, spend } from "../run/machine.ts";
import { luaTypeName } from "../run/metatable.ts";
import { LuaTable } from "../run/table.ts";
import { firstValue, isTruthy, type LuaFunction, type LuaValue } from "../run/value.ts";
import { type Arguments, argError, charged, chargeSearch, integerArg, optionalIntegerArg, stringArg } from "./argument.ts";
import { lower, upper } from "./character.ts";
import { format } from "./format.ts";
import { numberText } from "./number-text.ts";
import { PatternMatch } from "./pattern-match.ts";

/** The number of values that a C function may push on Lua's stack. */
const mostValues = 8000;
/** What a list keeps for each of its strings. */
const partBytes = 16;
const special = /[\^$*+?.([%-]/;

/** Resolves a negative position, which counts from the end. */
function fromEnd(position: number, length: number): number {
  return position < 0 ? Math.max(length + position + 1, 0) : position;
}

function slice(text: string, from: number, to: number): string {
  const start = Math.max(fromEnd(from, text.length), 1);
  const end = Math.min(fromEnd(to, text.length), text.length);
  return start > end ? "" : text.slice(start - 1, end);
}

/** Charges memory and fuel for a string that the script receives. */
function made(text: string): string {
  allocateString(text.length);
  return text;
}

function bytes(...args: LuaValue[]): LuaValue[] {
  const text = stringArg(args, 1);
  const from = optionalIntegerArg(args, 2, 1);
  const part = slice(text, from, optionalIntegerArg(args, 3, from));
  if (part.length >= mostValues) raise("string slice too long");
  spend(part.length);
  return Array.from(part, (char) => char.charCodeAt(0));
}

function char(...args: LuaValue[]): string {
  const codes = args.map((_, index) => {
    const code = integerArg(args, index + 1);
    if (code < 0 || code > 255) argError(index + 1, "invalid value");
    return code;
  });
  return String.fromCharCode(...codes);
}

function rep(...args: LuaValue[]): string {
  const text = stringArg(args, 1);
  const count = Math.max(integerArg(args, 2), 0);
  allocateString(text.length * count);
  return text.length === 0 ? "" : text.repeat(count);
}

function find(isFind: boolean, args: Arguments): LuaValue | LuaValue[] {
  const [text, pattern] = [stringArg(args, 1), stringArg(args, 2)];
  const from = Math.max(fromEnd(optionalIntegerArg(args, 3, 1), text.length), 1) - 1;
  // Lua 5.1 clamps a start position beyond the end.
  const start = Math.min(from, text.length);
  chargeSearch(text, pattern);
  if (isFind && (isTruthy(args[3]) || !special.test(pattern))) {
    const at = text.indexOf(pattern, start);
    return at < 0 ? undefined : [at + 1, at + pattern.length];
  }
  const match = new PatternMatch(text, pattern);
  const isAnchored = pattern.startsWith("^");
  for (let at = start; at <= text.length; at++) {
    const end = match.at(at, isAnchored ? 1 : 0);
    if (end >= 0) {
      if (!isFind) return match.values(at, end);
      return [at + 1, end, ...(match.captures.length === 0 ? [] : match.values(at, end))];
    }
    if (isAnchored) break;
  }
  return undefined;
}

function gmatch(...args: LuaValue[]): LuaFunction {
  const match = new PatternMatch(stringArg(args, 1), stringArg(args, 2));
  const { text } = match;
  let from = 0;
  return () => {
    for (let at = from; at <= text.length; at++) {
      const end = match.at(at, 0);
      if (end < 0) continue;
      // Advances past an empty match, which would repeat forever.
      from = end === at ? end + 1 : end;
      return match.values(at, end);
    }
    from = text.length + 1;
    return undefined;
  };
}

function gsub(...args: LuaValue[]): LuaValue[] {
  const text = stringArg(args, 1);
  const pattern = stringArg(args, 2);
  const replacement = args[2];
  if (!["number", "string", "function"].includes(typeof replacement) && !(replacement instanceof LuaTable)) {
    argError(3, "string/function/table expected");
  }
  const most = optionalIntegerArg(args, 4, text.length + 1);
  const isAnchored = pattern.startsWith("^");
  const match = new PatternMatch(text, pattern);
  const parts: string[] = [];
  let count = 0;
  let at = 0;
  while (count < most) {
    const end = match.at(at, isAnchored ? 1 : 0);
    allocate(partBytes);
    if (end >= 0) {
      count += 1;
      parts.push(made(replaced(match, replacement, at, end)));
    }
    if (end > at) at = end;
    else if (at < text.length) {
      parts.push(text.charAt(at));
      at += 1;
    } else break;
    if (isAnchored) break;
  }
  parts.push(text.slice(at));
  return [made(parts.join("")), count];
}

function replaced(match: PatternMatch, replacement: LuaValue, at: number, end: number): string {
  const whole = match.text.slice(at, end);
  if (typeof replacement === "string" || typeof replacement === "number") {
    return expanded(match, typeof replacement === "string" ? replacement : numberText(replacement), at, end);
  }
  const value =
    typeof replacement === "function"
      ? firstValue(callAll(undefined, replacement, match.values(at, end)))
      : luaGetTable(replacement, match.value(0, at, end), undefined);
  if (!isTruthy(value)) return whole;
  if (typeof value === "string") return value;
  return typeof value === "number" ? numberText(value) : raise(`invalid replacement value (a ${luaTypeName(value)})`);
}

function expanded(match: PatternMatch, template: string, at: number, end: number): string {
  spend(template.length >> 3);
  if (!template.includes("%")) return template;
  let length = template.length;
  return template.replace(/%(.?)/gs, (_, char: string) => {
    spend(1);
    if (!/\d/.test(char)) return char;
    const value = char === "0" ? match.text.slice(at, end) : match.value(Number(char) - 1, at, end);
    const text = typeof value === "number" ? numberText(value) : typeof value === "string" ? value : "";
    length += text.length;
    if (length > machine.longestString) allocateString(length);
    return text;
  });
}

/** The library `string`, without `dump`: there is no bytecode. */
export const stringLibrary: Readonly<Record<string, LuaFunction>> = charged({
  byte: bytes,
  char: (...args) => made(char(...args)),
  find: (...args) => find(true, args),
  format: (...args) => made(format(args)),
  gfind: gmatch,
  gmatch,
  gsub,
  len: (...args) => stringArg(args, 1).length,
  lower: (...args) => made(lower(stringArg(args, 1))),
  match: (...args) => find(false, args),
  rep,
  reverse: (...args) => {
    const text = stringArg(args, 1);
    spend(text.length >> 3);
    allocate(text.length * partBytes);
    return made(Array.from(text).toReversed().join(""));
  },
  sub: (...args) => made(slice(stringArg(args, 1), integerArg(args, 2), optionalIntegerArg(args, 3, -1))),
  upper: (...args) => made(upper(stringArg(args, 1))),
});
