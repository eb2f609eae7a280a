import assert from "node:assert/strict";
import { test } from "node:test";
import { ControllerHarness } from "../../../../test/support/embedded/controller-harness.ts";

function event(name: string) {
  return {
    metadata: { name },
    involvedObject: { kind: "Pod", name: "web", namespace: "default" },
    reason: "Started",
    message: "started",
    type: "Normal",
  };
}

test("an Event is deleted an hour after its last write, and keeps no clock running", async () => {
  const harness = new ControllerHarness();
  harness.create("events", event("a"), "v1", "Event");
  harness.create("events", event("b"), "v1", "Event");
  assert.equal(await harness.clock.settle(), true);
  await harness.clock.advance(1_800_000);
  harness.api.update("events", { ...harness.read("events", "b"), message: "again" }, "test");
  await harness.clock.advance(1_900_000);
  assert.equal(harness.names("events"), "b");
  await harness.clock.advance(1_900_000);
  assert.equal(harness.names("events"), "");
});
