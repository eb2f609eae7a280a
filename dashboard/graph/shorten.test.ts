import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { shorten, visible } from "./shorten.ts";

const widthOf = (text: string) => [...text].length;

for (const [text, width, expected] of [
  ["web", 3, "web"],
  ["deployment/web", 9, "depl…/web"],
  ["abc", 1, "…"],
] as const)
  test(`${text} in ${width} is ${expected}`, () => assert.equal(shorten(text, width, widthOf), expected));

test("a shortened text is as wide as it may be", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), fc.integer({ min: 1, max: 50 }), (text, width) => {
      const short = shorten(text, width, widthOf);
      assert.equal(widthOf(short), Math.min(widthOf(text), width));
    }),
  );
});

test("escapes, line ends and marks of direction are seen", () => {
  assert.equal(visible("a\u001b[31mb\n\u202ec"), "a␛[31mb␊\u{fffd}c");
});
