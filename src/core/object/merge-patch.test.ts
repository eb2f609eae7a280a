import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { equal } from "./equal.ts";
import { applyMergePatch, mergePatchBetween } from "./merge-patch.ts";

/** The cases of RFC 7386, appendix A, and some of the API server's own. */
const cases: readonly [unknown, unknown, unknown][] = [
  [{ a: "b" }, { a: "c" }, { a: "c" }],
  [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
  [{ a: "b" }, { a: null }, {}],
  [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
  [{ a: ["b"] }, { a: "c" }, { a: "c" }],
  [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
  [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
  [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
  [
    ["a", "b"],
    ["c", "d"],
    ["c", "d"],
  ],
  [{ a: "b" }, ["c"], ["c"]],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: "b", c: null }, { a: "b" }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  [{}, { a: [{ b: null, c: 1 }, null] }, { a: [{ c: 1 }, null] }],
];

for (const [document, patch, expected] of cases) {
  test(`${JSON.stringify(document)} and ${JSON.stringify(patch)} give ${JSON.stringify(expected)}`, () => {
    const before = JSON.stringify([document, patch]);
    assert.deepEqual(applyMergePatch(document, patch), expected);
    assert.equal(JSON.stringify([document, patch]), before, "the inputs are left alone");
  });
}

const withoutNull = fc.letrec((tie) => ({
  value: fc.oneof(
    fc.constantFrom(0, 1, "", "a", true),
    fc.array(tie("value"), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom("a", "b", "c", "__proto__"), tie("value"), { noNullPrototype: true }),
  ),
})).value;
const object = fc.dictionary(fc.constantFrom("a", "b", "c"), withoutNull, { noNullPrototype: true });

test("the patch between two objects takes one to the other", () => {
  fc.assert(fc.property(object, object, (from, to) => assert.ok(equal(applyMergePatch(from, mergePatchBetween(from, to)), to))));
});

test("the patch between equal objects is empty", () => {
  fc.assert(fc.property(object, (value) => assert.deepEqual(mergePatchBetween(value, structuredClone(value)), {})));
});

test("only what differs is in the patch", () => {
  const from = { a: { b: 1, c: [1, 2] }, d: 1, e: 1 };
  const to = { a: { b: 1, c: [1, 3] }, d: 1, f: 2 };
  assert.deepEqual(mergePatchBetween(from, to), { e: null, a: { c: [1, 3] }, f: 2 });
});

test("a patch changes no prototype", () => {
  const patch: unknown = JSON.parse('{"__proto__": {"polluted": true}, "a": {"__proto__": {"polluted": true}}}');
  const patched = applyMergePatch({ a: {} }, patch);
  assert.equal(JSON.stringify(patched), '{"a":{"__proto__":{"polluted":true}},"__proto__":{"polluted":true}}');
  assert.equal(Object.getPrototypeOf(patched), Object.prototype);
  assert.equal(Reflect.get({}, "polluted"), undefined);
});
