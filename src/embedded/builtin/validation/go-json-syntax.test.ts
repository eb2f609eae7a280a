import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { jsonSyntaxProblem } from "./go-json-syntax.ts";

/** Answers of Go's encoding/json, as a real API server repeats them. */
const problems: readonly (readonly [string, string | undefined])[] = [
  ["", "unexpected end of JSON input"],
  ['{"a":', "unexpected end of JSON input"],
  ["abc", "invalid character 'a' looking for beginning of value"],
  ["{a:1}", "invalid character 'a' looking for beginning of object key string"],
  ['{"a" 1}', "invalid character '1' after object key"],
  ['{"a":1}}', "invalid character '}' after top-level value"],
  ['{"a":01}', "invalid character '1' after object key:value pair"],
  ["[1,]", "invalid character ']' looking for beginning of value"],
  ["nope", "invalid character 'o' in literal null (expecting 'u')"],
  ['{"a":tru}', "invalid character '}' in literal true (expecting 'e')"],
  ['{"a":"\u0001"}', String.raw`invalid character '\x01' in string literal`],
  [String.raw`{"a":"\x"}`, "invalid character 'x' in string escape code"],
  ["-", "invalid character ' ' in numeric literal"],
  [' {"a": [1, -2.5e3, "\\u00e9", null, true]} ', undefined],
];

for (const [json, problem] of problems) {
  test(`${JSON.stringify(json)} is ${problem === undefined ? "JSON" : "not JSON"}`, () => assert.equal(jsonSyntaxProblem(json), problem));
}

function parses(json: string): boolean {
  try {
    JSON.parse(json);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

test("whatever JSON.parse takes is JSON, and nothing else", () => {
  const pieces = fc.array(fc.constantFrom("{", "}", "[", "]", ",", ":", '"a"', '"\\n"', "1", "-0.5", "e", "true", "nul", " ", "\\"), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(
      fc.oneof(
        pieces.map((parts) => parts.join("")),
        fc.json(),
      ),
      (json) => {
        assert.equal(jsonSyntaxProblem(json) === undefined, parses(json));
      },
    ),
  );
});
