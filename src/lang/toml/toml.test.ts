import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import * as fc from "fast-check";
import { GoError, GoMap, deepEqual, dict, int64, anyList, toPlain, types, type GoValue } from "../template/index.ts";
import { readToml, writeToml } from "./index.ts";

// What BurntSushi/toml 1.6.0 writes is recorded in src/release/render/recorded: toToml and fromToml.

test("tables come after everything else", () => {
  const value = dict({ b: dict({ c: int64(1) }), a: "x", l: anyList([dict({ d: 1 }), dict({ d: 2.5 })]) });
  assert.equal(writeToml(value), 'a = "x"\n\n[b]\n  c = 1\n\n[[l]]\n  d = 1.0\n\n[[l]]\n  d = 2.5\n');
});

const documents: readonly (readonly [string, unknown])[] = [
  ["a = 1\nb = 2.5\n[c]\nd = true", { a: 1, b: 2.5, c: { d: true } }],
  ['a.b."c d" = "x"', { a: { b: { "c d": "x" } } }],
  ["[[a]]\nb = 1\n[[a]]\nb = 2\n[a.c]\nd = 3", { a: [{ b: 1 }, { b: 2, c: { d: 3 } }] }],
  ["a = \"\"\"\nx \\\n   y\"\"\"\nb = '''\nraw\\n'''", { a: "x y", b: "raw\\n" }],
  ["a = [ 1, # one\n 2,\n]", { a: [1, 2] }],
  ["a = {b = 1, c = {d = [true]}}", { a: { b: 1, c: { d: [true] } } }],
  ["a = 0x1F\nb = 1_000\nc = +5", { a: 31, b: 1000, c: 5 }],
];

for (const [text, expected] of documents) {
  test(`reads ${JSON.stringify(text)}`, () => {
    assert.deepEqual(toPlain(readToml(text)), expected);
  });
}

/** What `fromToml` of Helm 4.2.4 says. */
const recorded: Readonly<Record<string, string>> = JSON.parse(readFileSync(join(import.meta.dirname, "recorded", "errors.json"), "utf8"));

for (const [text, message] of [...Object.entries(recorded), ["a = {b = 1}\n[a.c]", undefined] as const]) {
  test(`refuses ${JSON.stringify(text)}${message === undefined ? "" : ` as Helm does`}`, () => {
    assert.throws(
      () => readToml(text),
      (error) => error instanceof GoError && (message === undefined || assert.equal(error.message, message) === undefined),
    );
  });
}

for (const [what, [open, close]] of Object.entries({ arrays: ["[", "]"], "inline tables": ["{a = ", "}"] } as const)) {
  const nested = (depth: number) => `a = ${open.repeat(depth)}1${close.repeat(depth)}\n`;
  test(`${what} are nested up to a depth, beside each other any number of times`, () => {
    assert.doesNotThrow(() => readToml(nested(1000) + nested(1000).replace("a", "b")));
    for (const depth of [1001, 3000, 100_000])
      assert.throws(() => readToml(nested(depth)), { name: "GoError", message: /exceeded max depth of 1000/ });
  });
}

test("output reads back as the same value", () => {
  const leaf: fc.Arbitrary<GoValue> = fc.oneof(fc.string(), fc.boolean(), fc.double({ noNaN: true }), fc.maxSafeInteger().map(int64));
  const { table } = fc.letrec<{ table: GoMap; value: GoValue }>((tie) => ({
    table: fc.dictionary(fc.string(), tie("value"), { maxKeys: 4 }).map((entries) => new GoMap(types.anyMap, Object.entries(entries))),
    value: fc.oneof({ depthSize: "small" }, leaf, tie("table"), fc.array(leaf).map(anyList)),
  }));
  fc.assert(fc.property(table, (value) => assert.ok(deepEqual(readToml(writeToml(value)), value))));
});
