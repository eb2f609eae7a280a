import assert from "node:assert/strict";
import { test } from "node:test";
import { agoText } from "./ago-text.ts";

for (const [ms, text] of [
  [-60_000, "just now"],
  [4_999, "just now"],
  [5_000, "5 s ago"],
  [59_999, "59 s ago"],
  [60_000, "1 min ago"],
  [3_599_999, "59 min ago"],
  [3_600_000, "1 h ago"],
  [86_400_000 * 400, "400 d ago"],
] as const)
  test(`${ms} ms ago is ${text}`, () => assert.equal(agoText(ms), text));
