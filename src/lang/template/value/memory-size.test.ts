import assert from "node:assert/strict";
import test from "node:test";
import { anyList, fromPlain, memorySizeOf, type GoValue } from "./index.ts";

const thousand = Array.from({ length: 1000 }, (_, index) => index);

/** What V8 was measured to hold for each. */
const measured: readonly (readonly [what: string, value: GoValue, bytes: number])[] = [
  ["a map of 1,000 numbers", fromPlain(Object.fromEntries(thousand.map((index) => [`k${index}`, 1]))), 42_000],
  ["1,000 empty lists", fromPlain(thousand.map(() => [])), 94_000],
  ["1,000 maps of one number", fromPlain(thousand.map(() => ({ b: 1 }))), 265_000],
  ["a text", "x".repeat(10_000), 10_000],
];

for (const [what, value, bytes] of measured) {
  test(`the size of ${what} is estimated within a fifth`, () => {
    const estimated = memorySizeOf(value);
    assert.ok(estimated > bytes / 1.2 && estimated < bytes * 1.2, `${estimated} is not near ${bytes}`);
  });
}

test("the size of a value that is nested very deep is estimated", () => {
  let value = anyList([]);
  for (let depth = 0; depth < 100_000; depth++) value = anyList([value]);
  assert.ok(memorySizeOf(value) > 9_000_000);
});
