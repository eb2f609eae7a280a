import assert from "node:assert/strict";
import { test } from "node:test";
import { parseYaml } from "../parse/parse-yaml.ts";

/** YAML 1.1, chapter 9.3: a blank line may be indented less than the others. */
const literals: Readonly<Record<string, string>> = {
  "k: |\n  a\n  b\n": "a\nb\n",
  "k: |-\n  a\n\n  b\n": "a\n\nb",
  "k: |\n    a\n  \n \n    b\n": "a\n\n\nb\n",
  "k: |\n  a\n     \n  b\n": "a\n   \nb\n",
  "k: |+\n  a\n\n \n": "a\n\n\n",
  "k: |\n\n  a\n": "\na\n",
  "k: |2\n   a\n  b\n": " a\nb\n",
  "k: |\n  a": "a",
};

for (const [text, value] of Object.entries(literals))
  test(`the lines of ${JSON.stringify(text)} are kept, with whatever ends them`, () => {
    assert.deepEqual(parseYaml(text), { k: value });
    assert.deepEqual(parseYaml(`# other breaks\r\n${text}`), { k: value });
    for (const letter of ["é", "“", "😀"])
      for (const before of ["", "# other breaks\u2028"])
        assert.deepEqual(parseYaml(before + text.replaceAll("a", letter)), { k: value.replaceAll("a", letter) });
  });

test("a tab in the indent is rejected", () => {
  for (const [mark, end] of [
    ["", "\n"],
    ["é", "\n"],
    ["é", "\r\n"],
  ] as const)
    assert.throws(() => parseYaml(`${mark}k: |\n  a\n\tb${end}`), {
      message: /line 3: found a tab character where an indentation space is expected/,
    });
});
