import assert from "node:assert/strict";
import { test } from "node:test";
import { wantsColor } from "./terminal.ts";

const colored: readonly (readonly [NodeJS.ProcessEnv, boolean, boolean])[] = [
  [{}, true, true],
  [{}, false, false],
  [{ TERM: "dumb" }, true, false],
  [{ NO_COLOR: "1" }, true, false],
  [{ NO_COLOR: "" }, true, true],
  [{ FORCE_COLOR: "1" }, false, true],
  [{ FORCE_COLOR: "true" }, false, true],
  [{ FORCE_COLOR: "0" }, true, false],
  [{ FORCE_COLOR: "false" }, true, false],
  [{ FORCE_COLOR: "" }, false, false],
  [{ FORCE_COLOR: "1", NO_COLOR: "1" }, true, false],
  [{ CI: "true" }, false, false],
];

for (const [env, isTerminal, expected] of colored)
  test(`${JSON.stringify(env)} ${isTerminal ? "on a terminal" : "in a pipe"} means ${expected ? "colours" : "none"}`, () =>
    assert.equal(wantsColor(env, isTerminal), expected));
