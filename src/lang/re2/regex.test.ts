import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import "../../../test/support/fixed-seed.ts";
import { LimitError, withinCost } from "../../core/cost/index.ts";
import { compileRe2, regexOf, type Regex, type Replacement } from "./index.ts";
import { automatonRegex } from "./automaton-regex.ts";
import { libraryRegex } from "./library-regex.ts";
import { nativeFirst, nativeSource } from "./regex.ts";

/** Patterns as charts have them, and whether JavaScript matches them. */
const known: Readonly<Record<string, boolean>> = {
  "[^a-zA-Z0-9]+": true,
  "\\W+": true,
  "\\.": true,
  "[^-A-Za-z0-9_.]": true,
  ipsum: true,
  "a|b|c": true,
  "^-+|-+$": true,
  "(\\w+)@(\\w+)": true,
  "[0-9]+\\.[0-9]+\\.[0-9]+\\.[0-9]+": true,
  "^v?(\\d+)\\.(\\d+)": true,
  '"[^"]*"': true,
  ":.*": true,
  "(?m)^[ \\t]*#.*$": true,
  "(?P<key>[a-z]+)=(?P<value>[0-9]*)": true,
  "[ \\t]+\n": true,
  "([a-z]+)([0-9]*)": true,
  "(?i)lorem\\s+IPSUM": true,
  "(?i)[^k-z]+": true,
  "[^[:alnum:]]+": true,
  // What could take quadratic time or longer, or means something else in JavaScript.
  "(?m)^\\s*#": false,
  "a[a-z]+@": false,
  "[a-z]+a": false,
  "(a*)*": false,
  "(a|b)*": false,
  "(?:(a)|b){2}": false,
  "a?[b]+c": false,
  "x.*y": false,
  "[0-9]*x[0-9]+": false,
  "[a-z]+-[a-z]": false,
  "(?i)é": false,
  "\\pL": false,
  "[[:cntrl:]]": false,
  "a{60}": false,
  "(a?){2}": false,
  ["a?".repeat(20)]: false,
  "^|a": false,
  "[a-z]*": false,
};

for (const [pattern, isNative] of Object.entries(known)) {
  test(`${JSON.stringify(pattern)} is matched by ${isNative ? "JavaScript" : "the library"}`, () =>
    assert.equal(nativeSource(pattern) !== undefined, isNative));
}

/** All matches, and the text with the groups of each in its place. */
function matchesIn(regex: Regex, text: string): readonly unknown[] {
  return [regex.matches(text, -1), regex.replaceAll(text, (groups) => JSON.stringify(groups.map((group) => group ?? null)))];
}

const set = fc.constantFrom(
  "a",
  "b",
  "-",
  "\\.",
  "1",
  "[ab]",
  "[^a]",
  "[a-c1]",
  "\\d",
  "\\w",
  "\\W",
  "\\s",
  ".",
  "é",
  "[^\\n-]",
  "\\n",
  "K",
  "[S-T]",
  "[[:upper:]]",
  "[[:^word:]b]",
);
const count = fc.constantFrom("", "", "", "*", "+", "?", "*?", "+?", "{2}", "{1,3}", "{2,}");
const atom = fc.letrec<{ atom: string; sequence: string }>((tie) => ({
  atom: fc.oneof(
    { maxDepth: 2 },
    set,
    fc
      .tuple(fc.constantFrom("(", "(?:"), tie("sequence"), fc.constantFrom("", "", "|b", "|-a"))
      .map(([open, body, more]) => `${open}${body}${more})`),
  ),
  sequence: fc.array(fc.tuple(tie("atom"), count), { minLength: 1, maxLength: 4 }).map((items) => items.flat().join("")),
})).sequence;
const branch = fc
  .tuple(fc.constantFrom("", "", "", "^", "\\b", "(?:^|-)"), atom, fc.constantFrom("", "", "", "$", "\\b", "\\B"))
  .map((parts) => parts.join(""));
const pattern = fc
  .tuple(fc.constantFrom("", "", "(?m)", "(?s)", "(?ms)", "(?i)", "(?im)"), fc.array(branch, { minLength: 1, maxLength: 2 }))
  .map(([flags, branches]) => flags + branches.join("|"));
const text = fc.string({
  unit: fc.constantFrom("a", "a", "b", "c", "-", ".", "1", "\n", " ", "\r", "\u2028", "é", "\u{1f600}", "k", "S", "\u212a", "\u017f"),
  maxLength: 14,
});

const firstGroup: Replacement = (groups) => `<${groups[1] ?? "-"}>`;

test("JavaScript finds what the library finds, with all groups", () => {
  let native = 0;
  fc.assert(
    fc.property(pattern, fc.array(text, { minLength: 4, maxLength: 4 }), (each, texts) => {
      if (nativeSource(each) === undefined) return;
      native++;
      const library = libraryRegex(compileRe2(each));
      const regex = nativeFirst(each, () => library);
      for (const given of texts) {
        assert.deepEqual(matchesIn(regex, given), matchesIn(library, given), `${each} in ${JSON.stringify(given)}`);
        assert.equal(regex.test(given), library.test(given));
        assert.equal(regex.replaceAll(given, "<$&>"), library.replaceAll(given, "<$&>"));
        assert.equal(regex.replaceAll(given, firstGroup), library.replaceAll(given, firstGroup));
      }
    }),
    { numRuns: 3000 },
  );
  assert.ok(native > 200, `only ${native} patterns were compared`);
});

test("automata find what the library finds, with all groups", () => {
  fc.assert(
    fc.property(pattern, fc.array(text, { minLength: 4, maxLength: 4 }), (each, texts) => {
      const library = libraryRegex(compileRe2(each));
      const regex = automatonRegex(compileRe2(each), { from: 0 });
      for (const given of texts) {
        assert.deepEqual(matchesIn(regex, given), matchesIn(library, given), `${each} in ${JSON.stringify(given)}`);
        assert.equal(regex.test(given), library.test(given));
        assert.equal(regex.replaceAll(given, "<$&>"), library.replaceAll(given, "<$&>"));
      }
    }),
    { numRuns: 600 },
  );
});

/** A text without a period, always the same. */
function letters(length: number): string {
  let state = 1;
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state & 0x10000 ? "a" : "b";
  }).join("");
}

// Classes of Unicode make large states.
for (const [what, pattern, given] of [
  ["throw states away and go on", "(a)[ab]{7}(\\pL)c|\\pN", letters(2000).replaceAll(/.{8}/g, `$&${"c".repeat(99)}`)],
  ["give up for the library", "(?:a|b)*?((a)[ab]{40}a|b[ab]{47}a)aaaaaa", letters(2000)],
] as const)
  test(`automata that need too many states ${what}`, () => {
    const library = libraryRegex(compileRe2(pattern));
    assert.deepEqual(matchesIn(automatonRegex(compileRe2(pattern)), given), matchesIn(library, given));
  });

test("a search that looks far beyond each match is charged for it", () => {
  const regex = regexOf("(?:x|y)*z|x");
  assert.throws(() => withinCost({ cost: 2 ** 22 }, () => regex.matches("x".repeat(8000), -1)), LimitError);
  assert.equal(withinCost({ cost: 2 ** 22 }, () => regex.matches("xz".repeat(4000), -1)).length, 4000);
});

test("no pattern that JavaScript matches takes more than linear time", () => {
  const repeated = fc.string({ unit: fc.constantFrom("a", "b", "-", "1", ".", "\n"), minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(pattern, repeated, fc.constantFrom("", "@"), (each, unit, end) => {
      const source = nativeSource(each);
      if (source === undefined) return;
      const expression = new RegExp(source, "gu");
      const hostile = unit.repeat(60_000) + end;
      const startedAt = performance.now();
      for (const _ of hostile.matchAll(expression));
      const spent = performance.now() - startedAt;
      assert.ok(spent < 2000, `${each} took ${spent.toFixed(0)} ms in ${JSON.stringify(unit)}`);
    }),
    { numRuns: 150 },
  );
});

test("bytes that are no UTF-8 are left to the library", () => {
  assert.deepEqual(matchesIn(regexOf("a+"), "\udc80aa"), [[{ start: 1, end: 3 }], '\udc80["aa"]']);
  assert.equal(regexOf("a+").test("\udc80"), false);
});
