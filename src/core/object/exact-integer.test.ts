import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { clone, equal } from "./equal.ts";
import { integerOf, isExactInteger } from "./exact-integer.ts";

test("an integer that fits is a number", () => {
  assert.equal(integerOf(9007199254740991n), 9007199254740991);
  assert.equal(integerOf(-5n), -5);
});

test("every integer reaches JSON with all its digits, also from a copy", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }), (value) => {
      const held = { value: integerOf(value) };
      assert.equal(JSON.stringify(held), `{"value":${value}}`);
      assert.equal(JSON.stringify(clone(held)), JSON.stringify(held));
      assert.ok(equal(held, { value: integerOf(value) }));
    }),
  );
});

test("an object that merely looks like one is copied as an object", () => {
  const impostor = { rawJSON: "1" };
  assert.ok(!isExactInteger(impostor));
  assert.deepEqual(clone(impostor), impostor);
  assert.ok(isExactInteger(integerOf(2n ** 63n - 1n)));
});
