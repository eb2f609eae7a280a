/** Kills every act of every scenario that ends well after every one of its steps, and over every one of its writes. `SHARD=1/2` does half of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Killings, type Course } from "./killed.ts";
import { scenarios } from "./index.ts";

const [shard = 1, shards = 1] = (process.env["SHARD"] ?? "1/1").split("/").map(Number);

for (const [place, scenario] of scenarios.entries()) {
  if (place % shards !== shard - 1) continue;
  test(scenario.name, async () => {
    const killings = await Killings.of(scenario);
    const objections: string[] = [];
    for (const course of killings.courses)
      objections.push(...(await afterSteps(killings, course)), ...(await afterWrites(killings, course)));
    assert.deepEqual(objections, []);
  });
}

async function afterSteps(killings: Killings, course: Course): Promise<readonly string[]> {
  const found: string[] = [];
  for (let steps = 1; steps <= course.steps; steps++) {
    const objections = await killings.objections(course, { steps }, () => true);
    found.push(...objections.map((text) => `act ${course.at + 1}, ${course.act.do}, step ${steps} of ${course.steps}: ${text}`));
  }
  return found;
}

async function afterWrites(killings: Killings, course: Course): Promise<readonly string[]> {
  const found: string[] = [];
  for (let writes = 1; writes <= course.writes; writes++) {
    const objections = await killings.objections(course, { writes });
    found.push(...objections.map((text) => `act ${course.at + 1}, ${course.act.do}, write ${writes} of ${course.writes}: ${text}`));
  }
  return found;
}
