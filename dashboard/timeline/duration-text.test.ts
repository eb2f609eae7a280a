import assert from "node:assert/strict";
import { test } from "node:test";
import { durationText } from "./duration-text.ts";

for (const [ms, text] of [
  [-5, "0.0 s"],
  [0, "0.0 s"],
  [849, "0.8 s"],
  [9_940, "9.9 s"],
  [9_960, "10 s"],
  [59_499, "59 s"],
  [59_500, "1 min 00 s"],
  [65_000, "1 min 05 s"],
  [3_599_499, "59 min 59 s"],
  [3_600_000, "1 h 00 min"],
  [7_800_000, "2 h 10 min"],
] as const)
  test(`${ms} ms are ${text}`, () => assert.equal(durationText(ms), text));
