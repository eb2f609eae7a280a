import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { KillRuns } from "./kill-runs.ts";
import { scenarios, type ReleaseScenario } from "./index.ts";

/**
 * A fixed sample of `npm run test:kills`: of every sixteenth scenario one act, killed at one point. The point follows from
 * the scenario's index, so that the sample has early and late kills.
 */
async function objectionsTo(scenario: ReleaseScenario, place: number, by: "steps" | "writes"): Promise<readonly string[]> {
  const runs = await KillRuns.of(scenario);
  const killable = runs.acts[place % Math.max(1, runs.acts.length)];
  if (killable === undefined) return [];
  const nth = 1 + ((place * 7) % Math.max(1, killable[by]));
  if (nth > killable[by]) return [];
  const found =
    by === "steps" ? await runs.objections(killable, { steps: nth }, () => true) : await runs.objections(killable, { writes: nth });
  return found.map((text) => `act ${killable.at + 1}, ${killable.act.do}, killed after ${nth} of ${killable[by]} ${by}: ${text}`);
}

describe("killed after a step, and known to be dead", () => {
  for (const [place, scenario] of scenarios.entries()) {
    if (place % 16 === 0) test(scenario.name, async () => assert.deepEqual(await objectionsTo(scenario, place / 16, "steps"), []));
  }
});

describe("killed over a write whose response was lost, and continued when the Lease has expired", () => {
  for (const [place, scenario] of scenarios.entries()) {
    if (place % 48 === 1) test(scenario.name, async () => assert.deepEqual(await objectionsTo(scenario, place, "writes"), []));
  }
});
