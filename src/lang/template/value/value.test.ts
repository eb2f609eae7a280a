import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import {
  Complex,
  GoError,
  GoList,
  GoMap,
  GoStruct,
  Integer,
  Pointer,
  GoScalar,
  deepEqual,
  dict,
  fromPlain,
  reflectType,
  int,
  int64,
  isTrue,
  reflectKindOf,
  anyList,
  namedType,
  nilList,
  structType,
  stringList,
  toPlain,
  typeName,
  types,
  wrapInteger,
  zeroOf,
  type GoValue,
} from "./index.ts";

const point = namedType("my.Point", structType({ X: types.int, y: types.int }));

/** Each value with its type, kind and truth in Go. */
const table: readonly (readonly [GoValue, string, string, boolean])[] = [
  [null, "<nil>", "invalid", false],
  [undefined, "<nil>", "invalid", false],
  [true, "bool", "bool", true],
  [0, "float64", "float64", false],
  [Number.NaN, "float64", "float64", true],
  ["", "string", "string", false],
  ["0", "string", "string", true],
  [int(0), "int", "int", false],
  [int64(-1), "int64", "int64", true],
  [wrapInteger(reflectType("uint8"), 256), "uint8", "uint8", false],
  [new Complex(0, 1), "complex128", "complex128", true],
  [new GoScalar(reflectType("float32"), 0.1), "float32", "float32", true],
  [dict(), "map[string]interface {}", "map", false],
  [dict({ a: null }), "map[string]interface {}", "map", true],
  [new GoMap(types.stringMap, [], { isNil: true }), "map[string]string", "map", false],
  [anyList([]), "[]interface {}", "slice", false],
  [stringList(["a"]), "[]string", "slice", true],
  [new Uint8Array(1), "[]uint8", "slice", true],
  [new GoStruct(point), "my.Point", "struct", true],
  [new Pointer(point.pointerTo), "*my.Point", "ptr", false],
  [new Pointer(point.pointerTo, new GoStruct(point)), "*my.Point", "ptr", true],
];

test("values have Go's types, kinds and truth", () => {
  for (const [value, name, kind, truth] of table) {
    assert.equal(typeName(value), name);
    assert.equal(reflectKindOf(value), kind, name);
    assert.equal(isTrue(value), truth, name);
  }
});

test("values are equal when types and contents are", () => {
  assert.ok(deepEqual(dict({ a: anyList([1, null]) }), dict({ a: anyList([1, null]) })));
  const different: readonly (readonly [GoValue, GoValue])[] = [
    [1, int(1)],
    [int(1), int64(1)],
    [anyList([]), nilList()],
    [anyList(["a"]), stringList(["a"])],
    [dict({ a: 1 }), dict({ a: 2 })],
    [dict({ a: null }), dict({ b: null })],
    ["1", 1],
    [null, dict()],
    [Number.NaN, Number.NaN],
  ];
  for (const [one, other] of different) assert.ok(!deepEqual(one, other), `${typeName(one)} and ${typeName(other)}`);
  assert.ok(deepEqual(null, undefined));
});

test("JSON becomes values and is JSON again", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (json) => {
      const value = fromPlain(json);
      assert.deepEqual(JSON.parse(JSON.stringify(toPlain(value))), JSON.parse(JSON.stringify(json)));
      assert.ok(deepEqual(value, fromPlain(json)));
    }),
  );
});

test("a key named __proto__ is a key", () => {
  const value = fromPlain(JSON.parse('{"__proto__":{"a":1}}'));
  assert.ok(value instanceof GoMap && value.has("__proto__") && value.size === 1);
  assert.equal(JSON.stringify(toPlain(value)), '{"__proto__":{"a":1}}');
});

test("keys are walked in Go's order, kept until they change", () => {
  const map = dict({ b: 1, a: 2, "😀": 3, "\uffff": 4 });
  assert.deepEqual(map.sortedKeys(), ["a", "b", "\uffff", "😀"]);
  assert.equal(map.sortedKeys(), map.sortedKeys());
  map.set("a", 9).set("0", 0);
  map.delete("b");
  assert.deepEqual(map.sortedKeys(), ["0", "a", "\uffff", "😀"]);
  const numbers = new GoMap(reflectType("map[int]string"));
  for (const number of [10, 9, -1]) numbers.put(int(number), String(number));
  assert.deepEqual(
    [...numbers.sortedEntries()].map(([, text]) => text),
    ["-1", "9", "10"],
  );
  assert.equal(numbers.at(int(9)), "9");
});

test("a map under another type is the same map", () => {
  const values = new GoMap(namedType("common.Values", types.anyMap), [["a", 1]]);
  const plain = values.as(types.anyMap);
  assert.equal(typeName(plain), "map[string]interface {}");
  assert.deepEqual(plain.sortedKeys(), ["a"]);
  plain.set("b", 2);
  assert.deepEqual([values.get("b"), values.sortedKeys()], [2, ["a", "b"]]);
});

test("a nil map cannot be written to", () => {
  const nil = zeroOf(types.anyMap);
  assert.ok(nil instanceof GoMap);
  assert.throws(() => nil.set("a", 1), new GoError("assignment to entry in nil map"));
});

test("integers keep every bit and wrap around", () => {
  assert.equal(new Integer(types.int64, 2n ** 53n - 1n).value, 2 ** 53 - 1);
  assert.equal(new Integer(types.int64, 2n ** 63n - 1n).value, 2n ** 63n - 1n);
  assert.equal(wrapInteger(types.int64, 2n ** 63n).value, -(2n ** 63n));
  assert.equal(wrapInteger(reflectType("uint64"), -1).value, 2n ** 64n - 1n);
  assert.equal(wrapInteger(reflectType("int8"), 200).value, -56);
  assert.equal(int(5), int(5));
});

test("zero values are Go's", () => {
  const shown = ["int", "string", "bool", "float64", "any", "[2]int", "*int"].map((text) => toPlain(zeroOf(reflectType(text))));
  assert.deepEqual(shown, [0, "", false, 0, null, [0, 0], null]);
  const list = zeroOf(types.anyList);
  assert.ok(list instanceof GoList && list.isNil);
});

test("values as deep as Helm takes them become JSON", () => {
  let value: GoValue = new GoMap(types.anyMap, [["__proto__", new GoList(types.anyList, [1, null])]]);
  for (let level = 0; level < 10_000; level++) value = new GoMap(types.anyMap, [["a", value]]);
  let plain = toPlain(value);
  for (let level = 0; level < 10_000; level++) plain = Object.values(plain as object)[0];
  assert.equal(JSON.stringify(plain), '{"__proto__":[1,null]}');
});
