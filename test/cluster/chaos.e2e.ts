/** The short form of `npm run test:chaos`: three replicas are killed, cut off, refused and ended, and lose nothing. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { faults } from "../chaos/faults.ts";
import { runChaos } from "../chaos/run-chaos.ts";
import { environmentVariables } from "./run-end-to-end.ts";

test("three replicas survive the short form of all faults", { timeout: 600_000 }, async () => {
  const program = process.env[environmentVariables.kubectl] ?? "";
  const chosen = faults.filter(({ isShort }) => isShort === true);
  const failures = await runChaos({ program, faults: chosen, isShort: true, seed: 1, log: () => undefined });
  assert.deepEqual(failures, []);
});
