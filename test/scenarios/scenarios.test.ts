import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { globSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { documented } from "./case/examples.ts";
import { embeddedUnderTest, runScenario, scenarios } from "./index.ts";

test("every scenario has a name of its own", () => {
  assert.equal(new Set(scenarios.map(({ name }) => name)).size, scenarios.length);
});

test("every documented example is a scenario", () => {
  const root = join(import.meta.dirname, "..", "..", "examples");
  const folders = globSync(["werf/**/*.yaml", "kots/**/*.yaml"], { cwd: root }).map((file) => relative("", dirname(file)));
  assert.deepEqual([...new Set(folders)].toSorted(), documented.toSorted());
});

describe("on the embedded cluster", () => {
  for (const scenario of scenarios) {
    test(scenario.name, async () => {
      const underTest = embeddedUnderTest();
      try {
        await runScenario(scenario, underTest);
      } finally {
        underTest.close();
      }
    });
  }
});
