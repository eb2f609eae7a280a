import {
  GoError,
  GoMap,
  GoSequence,
  goFunction,
  reflectType,
  int,
  sprintln,
  stringList,
  typeName,
  types,
  type FunctionTable,
  type Integer,
  type Pointer,
  type GoValue,
} from "../../../src/lang/template/index.ts";
import { V } from "./struct-t.ts";

function count(length: Integer): GoSequence {
  const letters = "abcdefghijklmnop".slice(0, Number(length.value));
  return new GoSequence(
    reflectType("chan string"),
    Array.from(letters, (letter) => [letter] as const),
  );
}

function makeMap(...words: string[]): GoMap {
  if (words.length % 2 !== 0) throw new GoError("bad makemap");
  const map = new GoMap(types.stringMap);
  for (let at = 0; at < words.length; at += 2) map.set(words[at] ?? "", words[at + 1]);
  return map;
}

function die(): never {
  throw new GoError("die");
}

function stringer(value: Pointer): string {
  return sprintln([value]).trimEnd();
}

/** The functions of the tests of Go's own text/template. */
export const testFunctions: FunctionTable = {
  add: goFunction("func(...int) int", (...numbers: Integer[]) => int(numbers.reduce((sum, { value }) => sum + Number(value), 0))),
  count: goFunction("func(int) chan string", count),
  dddArg: goFunction("func(int, ...string) string", (number: Integer, ...texts: string[]) => sprintln([number, stringList(texts)])),
  die: goFunction("func() bool", die),
  echo: goFunction("func(any) any", (value: GoValue) => value),
  makemap: goFunction("func(...string) map[string]string", makeMap),
  mapOfThree: goFunction("func() any", () => new GoMap(reflectType("map[string]int"), [["three", int(3)]])),
  oneArg: goFunction("func(string) string", (text: string) => `oneArg=${text}`),
  returnInt: goFunction("func() int", () => int(7)),
  stringer: goFunction("func(fmt.Stringer) string", stringer),
  twoArgs: goFunction("func(string, string) string", (one: string, other: string) => `twoArgs=${one}${other}`),
  typeOf: goFunction("func(any) string", typeName),
  valueString: goFunction("func(string) string", () => "value is ignored"),
  vfunc: goFunction("func(V, *V) string", () => "vfunc", { V }),
  zeroArgs: goFunction("func() string", () => "zeroArgs"),
};
