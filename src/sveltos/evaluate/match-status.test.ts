import assert from "node:assert/strict";
import { test } from "node:test";
import { readMatchStatus } from "./match-status.ts";

// The rules are those of Go's encoding/json for { matching bool; message string }.
const cases: readonly [what: string, returned: unknown, expected: string][] = [
  ["a match", { matching: true }, "matching"],
  ["a match with a message", { matching: true, message: "it is there" }, "matching: it is there"],
  ["no match", { matching: false }, "different: evaluate says that it does not match"],
  ["no match, with its reason", { matching: false, message: "port 80 only" }, "different: port 80 only"],
  ["an empty table", {}, "different: evaluate says that it does not match"],
  ["an empty table that is read as a list", [], "different: evaluate says that it does not match"],
  ["keys in another case", { Matching: true, MESSAGE: "yes" }, "matching: yes"],
  ["the very key before one in another case", { Matching: true, matching: false }, "different: evaluate says that it does not match"],
  ["keys of the script's own", { matching: true, ports: [1] }, "matching"],
  ["null, which is nothing", { matching: null, message: null }, "different: evaluate says that it does not match"],
  ["nothing", undefined, "evaluate returned nothing; expected a table"],
  ["true", true, "evaluate returned true; expected a table"],
  ["a string", "true", 'evaluate returned the string "true"; expected a table'],
  ["a list", [true], "evaluate returned a list; expected a table"],
  ["matching as a string", { matching: "true" }, 'evaluate returned matching = the string "true"; expected true or false'],
  ["matching as a number", { matching: 1 }, "evaluate returned matching = the number 1; expected true or false"],
  ["a message that is none", { matching: true, message: { a: 1 } }, "evaluate returned message = a table; expected a string"],
];

for (const [what, returned, expected] of cases)
  test(`a script that returns ${what}`, () => {
    assert.equal(resultText(returned), expected);
  });

function resultText(returned: unknown): string {
  try {
    const result = readMatchStatus(returned);
    if (result.state === "matching") return result.message === "" ? "matching" : `matching: ${result.message}`;
    return `${result.state}: ${result.because}`;
  } catch (error) {
    assert.ok(error instanceof Error && error.name === "ScriptFault");
    return error.message;
  }
}
