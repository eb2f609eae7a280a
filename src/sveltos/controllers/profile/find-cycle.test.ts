import assert from "node:assert/strict";
import { test } from "node:test";
import { findCycle } from "./find-cycle.ts";

/** `a>b b>c`: a needs b, b needs c. */
const cases: readonly (readonly [string, string | undefined])[] = [
  ["", undefined],
  ["a>b b>c a>c", undefined],
  ["a>a", "a>a"],
  ["a>b b>a", "a>b>a"],
  ["a>b b>c c>a", "a>b>c>a"],
  ["a>b b>c c>b", undefined],
  ["a>b a>c c>a b>d", "a>c>a"],
];

for (const [edges, expected] of cases) {
  test(`a cycle through a in "${edges}": ${expected ?? "none"}`, () => {
    const pairs = edges.split(" ").map((edge) => edge.split(">"));
    const needs = (key: string) => pairs.flatMap(([from, to]) => (from === key && to !== undefined ? [to] : []));
    assert.equal(findCycle("a", needs, String)?.join(">"), expected);
  });
}
