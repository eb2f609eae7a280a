import assert from "node:assert/strict";
import test from "node:test";
import { goFunction } from "./declare.ts";
import { reflectType, types } from "./parse-type.ts";
import { canBeNil, interfaceType, isAssignable, namedType, structType } from "./reflect-type.ts";

test("types are named as Go names them", () => {
  const spellings: readonly (readonly [string, string])[] = [
    ["any", "interface {}"],
    ["[]byte", "[]uint8"],
    ["map[string]interface{}", "map[string]interface {}"],
    ["map[string][]*int", "map[string][]*int"],
    ["[3]rune", "[3]int32"],
    ["func(string,...any)(string,error)", "func(string, ...interface {}) (string, error)"],
    ["func()", "func()"],
    ["func(func(int) bool) map[string]string", "func(func(int) bool) map[string]string"],
    ["chan string", "chan string"],
  ];
  for (const [text, name] of spellings) {
    assert.equal(reflectType(text).name, name);
    assert.equal(reflectType(text), reflectType(name), `${text} is one type`);
  }
});

test("an invalid type text is rejected", () => {
  for (const text of ["", "strin", "map[string", "func(", "[]", "int int", "Values"])
    assert.throws(() => reflectType(text), TypeError, text);
});

test("named types come from the scope", () => {
  const Values = namedType("common.Values", types.anyMap);
  const type = reflectType("func(Values) []Values", { Values });
  assert.equal(type.parameters?.[0], Values);
  assert.equal(type.name, "func(common.Values) []common.Values");
});

test("assignability follows reflect", () => {
  const Values = namedType("common.Values", types.anyMap);
  const Other = namedType("other.Values", types.anyMap);
  const Text = namedType("my.Text", types.string, { methods: { String: goFunction("func() string", () => "") } });
  const stringer = interfaceType("fmt.Stringer", { String: goFunction("func() string", () => "") });
  const Struct = namedType("my.Struct", structType({ A: types.int }), {
    pointerMethods: { String: goFunction("func() string", () => "") },
  });
  const table = [
    [Values, types.anyMap, true],
    [types.anyMap, Values, true],
    [Values, Other, false],
    [types.string, Text, false],
    [Text, types.string, false],
    [types.stringMap, types.anyMap, false],
    [types.int, types.any, true],
    [Text, stringer, true],
    [types.string, stringer, false],
    [Struct, stringer, false],
    [Struct.pointerTo, stringer, true],
    [types.int, types.int64, false],
  ] as const;
  for (const [from, to, expected] of table) assert.equal(isAssignable(from, to), expected, `${from.name} to ${to.name}`);
});

test("nil is for maps, slices, pointers, functions and interfaces", () => {
  const takers = ["map[string]int", "[]int", "*int", "func()", "any", "error", "reflect.Value"];
  for (const text of takers) assert.ok(canBeNil(reflectType(text)), text);
  for (const text of ["int", "string", "bool", "[3]int", "float64"]) assert.ok(!canBeNil(reflectType(text)), text);
});
