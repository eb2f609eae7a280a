import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { unifiedDiff } from "./unified-diff.ts";

/** Texts as letters, one a line; expected values are those of Python's difflib.unified_diff(n=3). */
const diffs: readonly (readonly [string, string, string])[] = [
  ["abc", "abc", ""],
  ["abc", "axc", "@@ -1,3 +1,3 @@| a|-b|+x| c|"],
  ["abcdefgh", "abcdefgX", "@@ -5,4 +5,4 @@| e| f| g|-h|+X|"],
  ["abcdefghijkl", "Xbcdefghijkl", "@@ -1,4 +1,4 @@|-a|+X| b| c| d|"],
  ["abcdefghijkl", "Xbcdefghijk", "@@ -1,4 +1,4 @@|-a|+X| b| c| d|@@ -9,4 +9,3 @@| i| j| k|-l|"],
  ["abcdef", "abcxyzdef", "@@ -1,6 +1,9 @@| a| b| c|+x|+y|+z| d| e| f|"],
  ["a", "b", "@@ -1 +1 @@|-a|+b|"],
];

for (const [before, after, expected] of diffs) {
  test(`${before} → ${after}`, () => {
    assert.equal(unifiedDiff([...before], [...after]).replaceAll("\n", "|"), expected);
  });
}

/** The text after a diff that shows all of it. */
function applied(diff: string): readonly string[] {
  const lines = diff.split("\n").filter((line) => /^[ +]/.test(line));
  return lines.map((line) => line.slice(1));
}

test("what is kept and what is added is the new text", () => {
  const text = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 6 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const diff = unifiedDiff(before, after);
      assert.deepEqual(diff === "" ? before : applied(diff), after);
    }),
    {
      examples: [
        [
          ["a", "b"],
          ["b", "a"],
        ],
      ],
    },
  );
});
