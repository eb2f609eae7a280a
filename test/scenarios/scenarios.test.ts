import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { embedded, perform, scenarios } from "./index.ts";

test("every scenario has a name of its own", () => {
  assert.equal(new Set(scenarios.map(({ name }) => name)).size, scenarios.length);
});

describe("on the embedded cluster", () => {
  for (const scenario of scenarios) {
    test(scenario.name, async () => {
      const ground = embedded(scenario.behaviour);
      try {
        await perform(scenario, ground);
      } finally {
        ground.leave();
      }
    });
  }
});
