import assert from "node:assert/strict";
import { test } from "node:test";
import { readPlanFile } from "./read-plan-file.ts";

const file = (size: number, text = () => Promise.resolve("{}")) => ({ name: "web.plan", size, text });

for (const [given, expected] of [
  [file(2), { text: "{}" }],
  [file(0), { problem: "web.plan is empty: open a file that sluice plan --save wrote." }],
  [file(40 * 1024 * 1024), { problem: "web.plan has 40 MiB, and a plan at most 16." }],
  [file(2, () => Promise.reject(new Error("gone"))), { problem: "web.plan cannot be read: it is a folder, or was moved." }],
] as const)
  test(`a file of ${given.size} bytes: ${Object.keys(expected).join()}`, async () => assert.deepEqual(await readPlanFile(given), expected));
