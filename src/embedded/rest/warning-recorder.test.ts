import assert from "node:assert/strict";
import { test } from "node:test";
import { WarningRecorder } from "./warning-recorder.ts";

const long = (letter: string, length = 2000) => letter.repeat(length);

/** What a client is warned of, by what is said. Models the cases of apiserver pkg/endpoints/filters/warning_test.go */
const cases: Record<string, [said: readonly string[], heard: readonly string[]]> = {
  "each warning once, in order": [
    ["b", "a", "b"],
    ["b", "a"],
  ],
  "no empty ones": [["", "a"], ["a"]],
  "none that a header cannot hold": [["a\nb", "c\u0000", "d"], ["d"]],
  "whole while they fit": [
    [long("a"), long("b")],
    [long("a"), long("b")],
  ],
  "cut when they do not fit": [
    [long("a"), long("b"), long("c"), "d"],
    [long("a", 256), long("b", 256), long("c", 256), "d"],
  ],
  "a letter of four bytes is one": [[long("😀", 4096)], [long("😀", 4096)]],
};

for (const [name, [said, heard]] of Object.entries(cases)) {
  test(`warnings: ${name}`, () => {
    const recorder = new WarningRecorder();
    for (const text of said) recorder.add(text);
    assert.deepEqual(recorder.warnings, heard);
  });
}

test("warnings: those after the limit are dropped", () => {
  const recorder = new WarningRecorder();
  for (let index = 0; index < 50; index++) recorder.add(`${index} ${long("x", 300)}`);
  assert.equal(recorder.warnings.length, 16);
});
