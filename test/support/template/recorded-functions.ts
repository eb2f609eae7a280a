/** The functions of the recorded templates. The recording used the same functions in Go. */
import {
  GoError,
  Integer,
  dict,
  goFunction,
  int,
  anyList,
  executionFunction,
  sprint,
  stringList,
  typeName,
  sprintValue,
  type FunctionTable,
  type GoMap,
  type Execution,
  type GoValue,
} from "../../../src/lang/template/index.ts";

function dictOf(...args: GoValue[]): GoMap {
  const map = dict();
  for (let at = 0; at + 1 < args.length; at += 2) map.set(sprintValue(args[at]), args[at + 1]);
  return map;
}

function toInt(value: GoValue): Integer {
  if (value instanceof Integer) return value;
  if (typeof value !== "number") return int(0);
  // amd64's result for a float out of range.
  return int(Math.abs(value) < 2 ** 63 ? BigInt(Math.trunc(value)) : -(2n ** 63n));
}

function fail(message: string): never {
  throw new GoError(message);
}

export const recordedFunctions: FunctionTable = {
  typeOf: goFunction("func(any) string", typeName),
  dict: goFunction("func(...any) map[string]any", dictOf),
  list: goFunction("func(...any) []any", (...args: GoValue[]) => anyList(args)),
  strs: goFunction("func(...string) []string", (...texts: string[]) => stringList(texts)),
  upper: goFunction("func(string) string", (text: string) => text.toUpperCase()),
  pair: goFunction("func(int, ...string) string", (number: Integer, ...texts: string[]) => sprint([number, stringList(texts)])),
  toInt: goFunction("func(any) int", toInt),
  u8: goFunction("func(uint8) uint8", (number: Integer) => number),
  half: goFunction("func(float64) float64", (number: number) => number / 2),
  flip: goFunction("func(bool) bool", (truth: boolean) => !truth),
  nothing: goFunction("func() any", () => null),
  fail: goFunction("func(string) (string, error)", fail),
  keysOf: goFunction("func(map[string]any) int", (map: GoMap) => int(map.size)),
  set: goFunction("func(map[string]any, string, any) map[string]any", (map: GoMap, key: string, value: GoValue) => map.set(key, value)),
  include: executionFunction("func(string, any) (string, error)", (run: Execution, name: string, data: GoValue) => run.execute(name, data)),
};
