import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import "../../../test/support/fixed-seed.ts";
import { bounded } from "../../../test/support/bounded.ts";
import { compileRe2, finderOf } from "./index.ts";
import { programSizeOf } from "./program-size.ts";

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

for (const pattern of [
  "ab+",
  "[a-z]{0,90}[[:alpha:]\\]x]{5}",
  "(a{0,30}){0,30}",
  "(a)(?:b)(?P<n>c)(?i)d",
  "^([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?\\.){1,10}[a-z]+$",
  "\\x{41}{20}",
])
  test(`the size of ${pattern} is known before it is compiled`, () => {
    assert.equal(programSizeOf(pattern).instructions, compileRe2(pattern).programSize());
  });

for (const [pattern, message] of [
  ["[a-z]{0,900}".repeat(100), /too large: it compiles to about 180002 instructions/],
  ["(a{10}){100}".repeat(20), /too large: it compiles to about 24002 instructions/],
  ["\\pL{1000}".repeat(20), /too large: it compiles to about 80002 instructions/],
  ["()".repeat(1001), /too large: it has 1001 groups/],
  ["x".repeat(200_000), /too large: it has 200000 characters/],
] as const)
  test(`a pattern is refused that is ${message.source}`, () => {
    assert.throws(() => bounded(() => compileRe2(pattern)), message);
    assert.throws(() => bounded(() => finderOf(pattern)), message);
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
