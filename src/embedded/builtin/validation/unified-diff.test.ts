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

const header = /^@@ -(\d+)(?:,(\d+))? \+/;

/** The text that a diff makes of `before`. What it does not show stays. */
function patched(before: readonly string[], diff: string): readonly string[] {
  const result: string[] = [];
  let at = 0;
  for (const line of diff.split("\n").slice(0, -1)) {
    const [found, start, length = "1"] = header.exec(line) ?? [];
    if (found !== undefined) {
      // A hunk that takes no line away names the line before it.
      const first = Number(start) - (length === "0" ? 0 : 1);
      result.push(...before.slice(at, first));
      at = first;
    } else if (line.startsWith("+")) {
      result.push(line.slice(1));
    } else {
      assert.equal(before[at], line.slice(1), `line ${at + 1} of the old text`);
      if (line.startsWith(" ")) result.push(line.slice(1));
      at++;
    }
  }
  return [...result, ...before.slice(at)];
}

test("a diff makes the new text of the old one", () => {
  const text = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 20 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      assert.deepEqual(patched(before, unifiedDiff(before, after)), after);
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
