import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Killings } from "./killed.ts";
import { scenarios, type Scenario } from "./index.ts";

/**
 * A fixed sample of what `npm run test:kills` does in full: of every fourth scenario one act, killed at one point. Which
 * they are follows from the scenario's place, so that all of them together are killed early and late.
 */
async function objectionsTo(scenario: Scenario, place: number, by: "steps" | "writes"): Promise<readonly string[]> {
  const killings = await Killings.of(scenario);
  const course = killings.courses[place % Math.max(1, killings.courses.length)];
  if (course === undefined) return [];
  const nth = 1 + ((place * 7) % Math.max(1, course[by]));
  if (nth > course[by]) return [];
  const found =
    by === "steps" ? await killings.objections(course, { steps: nth }, () => true) : await killings.objections(course, { writes: nth });
  return found.map((text) => `act ${course.at + 1}, ${course.act.do}, killed after ${nth} of ${course[by]} ${by}: ${text}`);
}

describe("killed after a step, and known to be dead", () => {
  for (const [place, scenario] of scenarios.entries()) {
    if (place % 4 === 0) test(scenario.name, async () => assert.deepEqual(await objectionsTo(scenario, place / 4, "steps"), []));
  }
});

describe("killed over a write whose answer was lost, and waited for until the Lease expired", () => {
  for (const [place, scenario] of scenarios.entries()) {
    if (place % 12 === 1) test(scenario.name, async () => assert.deepEqual(await objectionsTo(scenario, place, "writes"), []));
  }
});
