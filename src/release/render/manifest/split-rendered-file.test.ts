import assert from "node:assert/strict";
import { test } from "node:test";
import { array, assert as assertProperty, constantFrom, property } from "fast-check";
import { trimSpace } from "./go-space.ts";
import { splitRenderedFile } from "./split-rendered-file.ts";

/** Observed of Helm 4.2.4 and 3.21.4. */
const cases: readonly { readonly text: string; readonly four: readonly string[]; readonly three: readonly string[] }[] = [
  { text: "", four: [], three: [] },
  { text: "a: 1\n", four: ["a: 1\n"], three: ["a: 1"] },
  { text: "---\na: 1\n\n---\n\n  b: 2\n", four: ["a: 1\n\n", "b: 2\n"], three: ["a: 1", "b: 2"] },
  { text: "---a: 1\n--- b: 2\n", four: ["a: 1\n", "b: 2\n"], three: ["a: 1", "b: 2"] },
  { text: "a: |\n  ---\n  x\n", four: ["a: |\n  ---\n  x\n"], three: ["a: |\n  ---\n  x"] },
  { text: "\n\n---\n---\n# words\n---\n", four: ["# words\n"], three: ["---\n# words"] },
  { text: "a: 1\n----\nb: 2\n", four: ["a: 1\n", "-\nb: 2\n"], three: ["a: 1", "-\nb: 2"] },
  { text: "a: 1\r\n---\r\nb: 2\r\n", four: ["a: 1\r\n", "b: 2\r\n"], three: ["a: 1", "b: 2"] },
];

for (const { text, four, three } of cases)
  test(`${JSON.stringify(text)} is parted as Helm does`, () => {
    assert.deepEqual(splitRenderedFile(text, 4), four);
    assert.deepEqual(splitRenderedFile(text, 3), three);
  });

const texts = array(constantFrom("---", "-", "a: 1", "\n", " ", "\t", "\r\n", "# x", "é")).map((pieces) => pieces.join(""));

test("Helm 4 parts as its expression does", () => {
  assertProperty(
    property(texts, (text) => {
      const parts = text.trimStart().split(/(?<![^\n])---[ \t]*/);
      const expected = parts.filter((part) => part.trim() !== "").map((part) => part.trimStart());
      assert.deepEqual(splitRenderedFile(text, 4), expected);
    }),
  );
});

test("space is trimmed at both ends", () => {
  assertProperty(property(texts, (text) => assert.equal(trimSpace(text), text.trim())));
  assert.equal(trimSpace("\u0085a\u0085"), "a");
  assert.equal(trimSpace("\uFEFFa"), "\uFEFFa");
});
