import assert from "node:assert/strict";
import { test } from "node:test";
import { Lab } from "../../../../test/support/embedded/controller-lab.ts";

function event(name: string) {
  return {
    metadata: { name },
    involvedObject: { kind: "Pod", name: "web", namespace: "default" },
    reason: "Started",
    message: "started",
    type: "Normal",
  };
}

test("an Event goes an hour after it was last written, and keeps no clock going", async () => {
  const lab = new Lab();
  lab.create("events", event("a"), "v1", "Event");
  lab.create("events", event("b"), "v1", "Event");
  assert.equal(await lab.clock.settle(), true);
  await lab.clock.advance(1_800_000);
  lab.api.update("events", { ...lab.read("events", "b"), message: "again" }, "test");
  await lab.clock.advance(1_900_000);
  assert.equal(lab.names("events"), "b");
  await lab.clock.advance(1_900_000);
  assert.equal(lab.names("events"), "");
});
