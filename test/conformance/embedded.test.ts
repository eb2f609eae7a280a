import assert from "node:assert/strict";
import { test } from "node:test";
import { cases, readRecording } from "./index.ts";
import { describeInProcess, describeOverSocket } from "./embedded-suites.ts";

test("every case is recorded, and nothing else", () => {
  const recording = readRecording();
  assert.match(recording.kubernetes, /^v1\.\d+\.\d+$/);
  assert.deepEqual([...recording.cases.keys()].sort(), cases.map(({ id }) => id).sort());
});

describeInProcess(cases.filter(({ needsWebhook }) => needsWebhook !== "socket"));
// `npm run test:cluster` plays all the others over a socket too, which takes as long again.
describeOverSocket(cases.filter(({ needsWebhook }) => needsWebhook === "socket"));
