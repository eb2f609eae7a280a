/** Kills every act that succeeds after each of its steps and over each of its writes. `SHARD=1/2` runs half of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { KillRuns, type KillableAct } from "./kill-runs.ts";
import { scenarios } from "./index.ts";

const [shard = 1, shards = 1] = (process.env["SHARD"] ?? "1/1").split("/").map(Number);

for (const [place, scenario] of scenarios.entries()) {
  if (place % shards !== shard - 1) continue;
  test(scenario.name, async () => {
    const runs = await KillRuns.of(scenario);
    const objections: string[] = [];
    for (const killable of runs.acts) objections.push(...(await afterSteps(runs, killable)), ...(await afterWrites(runs, killable)));
    assert.deepEqual(objections, []);
  });
}

async function afterSteps(runs: KillRuns, killable: KillableAct): Promise<readonly string[]> {
  const found: string[] = [];
  for (let steps = 1; steps <= killable.steps; steps++) {
    const objections = await runs.objections(killable, { steps }, () => true);
    found.push(...objections.map((text) => `act ${killable.at + 1}, ${killable.act.do}, step ${steps} of ${killable.steps}: ${text}`));
  }
  return found;
}

async function afterWrites(runs: KillRuns, killable: KillableAct): Promise<readonly string[]> {
  const found: string[] = [];
  for (let writes = 1; writes <= killable.writes; writes++) {
    const objections = await runs.objections(killable, { writes });
    found.push(...objections.map((text) => `act ${killable.at + 1}, ${killable.act.do}, write ${writes} of ${killable.writes}: ${text}`));
  }
  return found;
}
