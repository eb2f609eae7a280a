import assert from "node:assert/strict";
import { test } from "node:test";
import { shellWord } from "./shell-word.ts";

test("words that a shell would read otherwise are quoted", () => {
  assert.equal(shellWord("a-b/c.d"), "a-b/c.d");
  assert.equal(shellWord("$(rm -rf /)"), "'$(rm -rf /)'");
  assert.equal(shellWord("it's"), String.raw`'it'\''s'`);
  assert.equal(shellWord(""), "''");
});
