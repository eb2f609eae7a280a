import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import "../../../test/support/fixed-seed.ts";
import { compileRe2, finderOf } from "./index.ts";

const patterns = [
  ["^[^#]*#?$", "a#b", false],
  ["^[^#]*#?$", "a\nb#", true],
  ["^[A-Za-z_][-A-Za-z0-9._]*$", "_a-1.b", true],
  ["^[A-Za-z_][-A-Za-z0-9._]*$", "1a", false],
  ["^a{2}$", "aa", true],
  ["^[^a]$", "\u{1f600}", true],
  ["^[^a]$", "ab", false],
  ["^(a|b)+$", "abab", true],
  ["a+$", "ba", true],
] as const;

for (const [pattern, text, found] of patterns) {
  test(`${pattern} is ${found ? "" : "not "}found in ${JSON.stringify(text)}`, () => {
    assert.equal(finderOf(pattern)(text), found);
    assert.equal(compileRe2(pattern).matcher(text).find(), found);
  });
}

test("an invalid character class is rejected with Go's message", () => {
  assert.throws(() => finderOf("^[z-a]$"), /invalid character class range/);
});

test("simple patterns find what Go finds", () => {
  const piece = fc.constantFrom("a", "b-", "[ab]", "[^a]", "[-a.]", "[a-]", "#", "[^ab.-]");
  const repeated = fc.tuple(piece, fc.constantFrom("", "", "*", "+", "?", "{2}")).map((parts) => parts.join(""));
  const pattern = fc
    .tuple(fc.array(repeated, { maxLength: 4 }), fc.constantFrom("", "$"))
    .map(([parts, end]) => `^${parts.join("")}${end}`);
  const text = fc.string({ unit: fc.constantFrom("a", "b", "-", ".", "#", "\n", "é", "\u{1f600}"), maxLength: 6 });
  fc.assert(
    fc.property(pattern, text, (each, given) => {
      assert.equal(finderOf(each)(given), compileRe2(each).matcher(given).find(), each);
    }),
  );
});
