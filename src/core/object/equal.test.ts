import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { clone, equal } from "./equal.ts";

const cases: readonly [unknown, unknown, boolean][] = [
  [1, 1, true],
  [1, "1", false],
  [null, null, true],
  [null, {}, false],
  [[], {}, false],
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [{ a: 1, b: undefined }, { a: 1 }, true],
  [{ a: undefined }, { b: 1 }, false],
  [{ a: null }, {}, false],
  [[1, 2], [2, 1], false],
  [[1, 2], [1, 2, 3], false],
  [{}, JSON.parse('{"__proto__": {}}'), false],
  [{ toString: 1 }, { a: 1 }, false],
];

for (const [a, b, expected] of cases) {
  test(`${JSON.stringify(a)} and ${JSON.stringify(b)} ${expected ? "say the same" : "differ"}`, () => {
    assert.equal(equal(a, b), expected);
    assert.equal(equal(b, a), expected);
  });
}

test("a clone is equal and shares nothing", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const copied = clone(value);
      assert.deepEqual(copied, value);
      assert.ok(equal(copied, value));
      if (typeof value === "object" && value !== null) assert.notEqual(copied, value);
    }),
  );
});

test("values are equal exactly when their JSON with sorted keys is", () => {
  const small = fc.letrec((tie) => ({
    value: fc.oneof(
      fc.constantFrom(0, 1, "", "a", true, null),
      fc.array(tie("value"), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom("a", "b"), tie("value")),
    ),
  })).value;
  fc.assert(fc.property(small, small, (a, b) => assert.equal(equal(a, b), sorted(a) === sorted(b))));
});

test("__proto__ is a key like any other", () => {
  const value: unknown = JSON.parse('{"__proto__": {"polluted": true}}');
  const copied = clone(value);
  assert.equal(JSON.stringify(copied), '{"__proto__":{"polluted":true}}');
  assert.equal(Object.getPrototypeOf(copied), Object.prototype);
});

const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, item: unknown) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
