import assert from "node:assert/strict";
import { test } from "node:test";
import { parseYaml } from "./parse-yaml.ts";
import { Parser } from "./parser.ts";
import { jsonTarget } from "./decode-target.ts";

test("nested parsers do not share a buffer", () => {
  const inner: unknown[] = [];
  const target = { ...jsonTarget, newMap: () => (inner.push(parseYaml("deep: [1, {x: z}]\n")), jsonTarget.newMap()) };
  assert.deepEqual(parseYaml("a: {b: {c: long plain text}}\nd: e\n", { target }), { a: { b: { c: "long plain text" } }, d: "e" });
  assert.equal(inner.length, 3);
  for (const value of inner) assert.deepEqual(value, { deep: [1, { x: "z" }] });
});

test("a short text after a long one does not read the rest of the buffer", () => {
  assert.deepEqual(parseYaml(`long: ${"x".repeat(5000)}\n`), { long: "x".repeat(5000) });
  assert.equal(parseYaml("plain"), "plain");
  assert.deepEqual(parseYaml("a: b"), { a: "b" });
  assert.deepEqual(parseYaml("a: é"), { a: "é" });
});

test("a syntax error releases the shared buffer", () => {
  assert.throws(() => parseYaml("a: [1, 2\nb: {"), /yaml: /);
  assert.deepEqual(parseYaml("a: 1"), { a: 1 });
});

test("closing a parser twice does not release another's buffer", () => {
  const first = new Parser("a: 1\n", jsonTarget, {});
  first.close();
  const second = new Parser(`b: ${"y".repeat(100)}\n`, jsonTarget, {});
  first.close();
  assert.deepEqual(parseYaml("c: 3\n"), { c: 3 });
  assert.deepEqual(second.next()?.value, { b: "y".repeat(100) });
  second.close();
});
