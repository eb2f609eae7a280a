import {
  allocate,
  allocateString,
  charged,
  encodeLuaString,
  integerArg,
  isArgMissing,
  LuaTable,
  machine,
  newTable,
  numberArg,
  raise,
  spend,
  stringArg,
  tableArg,
  decodeLuaString,
  textOfValue,
} from "../../lang/lua/index.ts";
import type { Arguments, LuaFunction, LuaResult, LuaValue, Module } from "../../lang/lua/index.ts";
import { regexWork } from "../../lang/re2/index.ts";
import { sprigFunctions } from "../../lang/sprig/index.ts";
import { fromPlain, GoError, int, stringList, toPlain, type GoValue } from "../../lang/template/index.ts";

/** Scripts get no function that reads the clock or randomness, so neither is used. */
const functions = sprigFunctions({ now: () => 0, randomBytes: (count) => new Uint8Array(count) });

/** How arguments are read: `s` a string, `i` an integer, `t` the values of a table, `m` a table with string keys. */
type Signature = string;

/** Sprig functions that raise their errors. */
const sprigSignatures: Readonly<Record<string, Signature>> = {
  abbrev: "is",
  abbrevboth: "iis",
  adler32sum: "s",
  b32enc: "s",
  b64enc: "s",
  base: "s",
  camelcase: "s",
  clean: "s",
  dir: "s",
  ext: "s",
  indent: "is",
  initials: "s",
  isAbs: "s",
  kebabcase: "s",
  nindent: "is",
  nospace: "s",
  osBase: "s",
  osClean: "s",
  osDir: "s",
  osExt: "s",
  osIsAbs: "s",
  quote: "t",
  sha1sum: "s",
  sha256sum: "s",
  sha512sum: "s",
  snakecase: "s",
  squote: "t",
  swapcase: "s",
  trunc: "is",
  untitle: "s",
  urlJoin: "m",
  urlParse: "s",
  wrap: "is",
};

/** Functions that return nil and a message on failure, with the `must` function of Sprig that they call. */
const fallibleSignatures: Readonly<Record<string, readonly [name: string, signature: Signature]>> = {
  regexFind: ["mustRegexFind", "ss"],
  regexFindAll: ["mustRegexFindAll", "ssi"],
  regexMatch: ["mustRegexMatch", "ss"],
  regexReplaceAll: ["mustRegexReplaceAll", "sss"],
  regexReplaceAllLiteral: ["mustRegexReplaceAllLiteral", "sss"],
  regexSplit: ["mustRegexSplit", "ssi"],
  semverCompare: ["semverCompare", "ss"],
};

/** The module `sprig`, without functions that read the clock, randomness or the environment. */
export const sprigModule: Module = charged({
  ...Object.fromEntries(Object.entries(sprigSignatures).map(([name, signature]) => [name, raisingError(name, signature)])),
  ...Object.fromEntries(
    Object.entries(fallibleSignatures).map(([name, [must, signature]]) => [name, returningError(name, must, signature)]),
  ),
  ...({
    all: (...args) => tableArg(args, 1).list.every((value) => !isEmpty(value)),
    any: (...args) => tableArg(args, 1).list.some((value) => !isEmpty(value)),
    b32dec: (...args) =>
      decoded("b32dec", stringArg(args, 1), /^(?:[A-Z2-7]{8})*(?:[A-Z2-7]{2}={6}|[A-Z2-7]{4}={4}|[A-Z2-7]{5}={3}|[A-Z2-7]{7}=)?$/),
    b64dec: (...args) => decoded("b64dec", stringArg(args, 1), /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/),
    cat: (...args) =>
      callSprig(
        "cat",
        chargedItems(newTable([...args]))
          .filter((value) => value !== undefined)
          .map((value) => decodeLuaString(textOfValue(value))),
      ),
    coalesce: (...args) => args.find((value) => !isEmpty(value)),
    compact: (...args) => newTable(tableArg(args, 1).list.filter((value) => !isEmpty(value))),
    duration: (...args) => callSprig("duration", [String(isArgMissing(args, 1) ? 0 : Math.trunc(numberArg(args, 1)))]),
    durationRound: (...args) =>
      callSprig("durationRound", [typeof args[0] === "string" ? args[0] : `${isArgMissing(args, 1) ? 0 : integerArg(args, 1)}s`]),
    empty: (...args) => isEmpty(args[0]),
    plural: (...args) => (integerArg(args, 3) === 1 ? stringArg(args, 1) : stringArg(args, 2)),
    round: (...args) =>
      callSprig("round", [numberArg(args, 1), int(integerArg(args, 2)), ...(isArgMissing(args, 3) ? [] : [numberArg(args, 3)])]),
    seq: (...args) => sequence(tableArg(args, 1)),
    sortAlpha: (...args) =>
      callSprig("sortAlpha", [
        stringList(
          args[0] instanceof LuaTable
            ? chargedItems(args[0]).map((value) => decodeLuaString(textOfValue(value)))
            : [decodeLuaString(textOfValue(args[0]))],
        ),
      ]),
    substr: (...args) => substring(integerArg(args, 1), integerArg(args, 2), stringArg(args, 3)),
    ternary: (...args) => (args[2] === true ? args[0] : args[1]),
    toDecimal: (...args) => octal(isArgMissing(args, 1) ? "0" : textOfValue(args[0])),
    uniq: (...args) => newTable([...new Set(chargedItems(tableArg(args, 1)))]),
    // Width, text and separator, in this order.
    wrapWith: (...args) => {
      const [width, text, separator] = [integerArg(args, 1), stringArg(args, 2), stringArg(args, 3)];
      spend(text.length);
      allocateString(text.length + Math.ceil((2 * text.length) / Math.max(width, 1)) * separator.length);
      return callSprig("wrapWith", [int(width), decodeLuaString(separator), decodeLuaString(text)]);
    },
  } satisfies Readonly<Record<string, LuaFunction>>),
});

function raisingError(name: string, signature: Signature): LuaFunction {
  return (...args) => {
    chargeIndent(name, args);
    return callSprig(name, valuesOf(args, signature));
  };
}

function returningError(name: string, must: string, signature: Signature): LuaFunction {
  return (...args) => {
    const values = valuesOf(args, signature);
    if (name.startsWith("regex")) chargeRegex(args, name.startsWith("regexReplace"));
    try {
      return [luaValue(run(must, values)), undefined];
    } catch (error) {
      if (!(error instanceof GoError)) throw error;
      return [undefined, encodeLuaString(`${name}: ${error.message}`)];
    }
  };
}

function callSprig(name: string, values: readonly GoValue[]): LuaResult {
  try {
    return luaValue(run(name, values));
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    return raise(encodeLuaString(`${name}: ${error.message}`));
  }
}

function run(name: string, values: readonly GoValue[]): GoValue {
  const found = functions[name];
  if (found === undefined) throw new TypeError(`Sprig has no function ${name}`);
  const call = found.call as (...parameters: readonly GoValue[]) => GoValue;
  return call(...values);
}

/** Charges a search with a regular expression, and the replacements of what it finds. */
function chargeRegex(args: Arguments, isReplaced: boolean): void {
  const [pattern, text] = [decodeLuaString(stringArg(args, 1)), stringArg(args, 2)];
  spend(regexWork(pattern, text.length) / 2);
  allocate(text.length * 16);
  if (!isReplaced) return;
  const replacement = stringArg(args, 3);
  // A group may be the whole text, and be named again and again.
  const most = replacement.includes("$") ? replacement.length * text.length : replacement.length;
  if ((text.length + 1) * most <= machine.longestString) return;
  const found = run("regexFindAll", [pattern, decodeLuaString(text), int(-1)]);
  const count = (toPlain(found) as readonly unknown[] | null)?.length ?? 0;
  allocateString(text.length + count * most);
}

/** Charges the memory of an indentation, whose width the script chooses. */
function chargeIndent(name: string, args: Arguments): void {
  if (name !== "indent" && name !== "nindent") return;
  allocateString(Math.max(integerArg(args, 1), 0) * stringArg(args, 2).split("\n").length);
}

function valuesOf(args: Arguments, signature: Signature): readonly GoValue[] {
  return [...signature].flatMap((letter, index) => {
    const position = index + 1;
    if (letter === "i") return [int(integerArg(args, position))];
    if (letter === "t") return chargedItems(tableArg(args, position)).map(goValue);
    if (letter === "m") return [fromPlain(names(tableArg(args, position)))];
    const text = stringArg(args, position);
    spend(text.length);
    return [decodeLuaString(text)];
  });
}

/** The items of a table, of which many may be the same long text. */
function chargedItems({ list }: LuaTable): readonly LuaValue[] {
  spend(list.length);
  allocateString(list.reduce<number>((sum, item) => sum + (typeof item === "string" ? item.length : 8) + 2, 0));
  return list;
}

function goValue(value: LuaValue): GoValue {
  if (typeof value === "number") return Number.isSafeInteger(value) ? int(value) : value;
  return typeof value === "boolean" ? value : decodeLuaString(textOfValue(value));
}

function names(table: LuaTable): Readonly<Record<string, string>> {
  const found: [string, string][] = [];
  const cursor = table.cursorAtStart();
  while (table.step(cursor))
    if (typeof cursor.key === "string") found.push([decodeLuaString(cursor.key), decodeLuaString(textOfValue(cursor.value))]);
  return Object.fromEntries(found);
}

function luaValue(value: GoValue): LuaValue {
  const plain = toPlain(value);
  if (Array.isArray(plain)) return newTable(plain.map((item) => encodeLuaString(String(item))));
  if (typeof plain === "string") return encodeLuaString(plain);
  if (typeof plain === "bigint") return Number(plain);
  if (typeof plain !== "object") return typeof plain === "number" || typeof plain === "boolean" ? plain : undefined;
  const table = newTable();
  for (const [key, item] of Object.entries(plain ?? {}))
    table.set(encodeLuaString(key), encodeLuaString(item === null ? "" : String(item)));
  return table;
}

function isEmpty(value: LuaValue): boolean {
  if (value instanceof LuaTable) return !value.step(value.cursorAtStart());
  return value === undefined || value === false || value === 0 || value === "";
}

function decoded(name: string, text: string, pattern: RegExp): LuaResult {
  spend(text.length);
  if (!pattern.test(text)) return [undefined, `${name}: illegal data`];
  return name === "b64dec"
    ? [Buffer.from(text, "base64").toString("latin1"), undefined]
    : [callSprig("b32dec", [text]) as LuaValue, undefined];
}

function sequence(table: LuaTable): LuaResult {
  const numbers = table.list.map((value) => (typeof value === "number" ? Math.trunc(value) : 0));
  const [from = 1, to = from] = numbers.length > 2 ? [numbers[0], numbers[2]] : numbers;
  allocateString(8 * (Math.abs(to - from) + Math.abs(from) + 1));
  return callSprig(
    "seq",
    numbers.map((value) => int(value)),
  );
}

function substring(from: number, to: number, text: string): string {
  return text.slice(Math.max(from, 0), Math.max(to, 0));
}

function octal(text: string): number {
  return /^[+-]?[0-7]+$/.test(text) ? Number.parseInt(text, 8) : 0;
}
