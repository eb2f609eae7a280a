import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { templateHash } from "./template-hash.ts";

test("a hash is the ten digits of a number in letters that are safe in names", () => {
  // The digits 0 to 9 become these when apimachinery's rand.SafeEncodeString writes them.
  fc.assert(fc.property(fc.jsonValue(), (value) => /^[456789bcdf]{1,10}$/.test(templateHash({ value }, undefined))));
});

test("the order of keys does not matter, the count of collisions does", () => {
  const hash = templateHash({ spec: { a: 1, b: [{ c: 2, d: 3 }] } }, undefined);
  assert.equal(templateHash({ spec: { b: [{ d: 3, c: 2 }], a: 1 } }, undefined), hash);
  assert.notEqual(templateHash({ spec: { a: 1, b: [{ c: 2, d: 3 }] } }, 1), hash);
  assert.notEqual(templateHash({ spec: { a: 1, b: [{ c: 2, d: 4 }] } }, undefined), hash);
});
