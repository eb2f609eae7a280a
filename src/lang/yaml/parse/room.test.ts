import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "./parse.ts";
import { Parser } from "./parser.ts";
import { jsonTarget } from "./target.ts";

test("a text that is read while another one is does not disturb it", () => {
  const inner: unknown[] = [];
  const target = { ...jsonTarget, newMap: () => (inner.push(parse("deep: [1, {x: z}]\n")), jsonTarget.newMap()) };
  assert.deepEqual(parse("a: {b: {c: long plain text}}\nd: e\n", { target }), { a: { b: { c: "long plain text" } }, d: "e" });
  assert.equal(inner.length, 3);
  for (const value of inner) assert.deepEqual(value, { deep: [1, { x: "z" }] });
});

test("a short text after a long one ends where it ends", () => {
  assert.deepEqual(parse(`long: ${"x".repeat(5000)}\n`), { long: "x".repeat(5000) });
  assert.equal(parse("plain"), "plain");
  assert.deepEqual(parse("a: b"), { a: "b" });
  assert.deepEqual(parse("a: é"), { a: "é" });
});

test("a text that cannot be read leaves room for the next", () => {
  assert.throws(() => parse("a: [1, 2\nb: {"), /yaml: /);
  assert.deepEqual(parse("a: 1"), { a: 1 });
});

test("who is closed twice does not take the room from somebody else", () => {
  const first = new Parser("a: 1\n", jsonTarget, {});
  first.close();
  const second = new Parser(`b: ${"y".repeat(100)}\n`, jsonTarget, {});
  first.close();
  assert.deepEqual(parse("c: 3\n"), { c: 3 });
  assert.deepEqual(second.next()?.value, { b: "y".repeat(100) });
  second.close();
});
