import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import { DemoFleet } from "./demo-fleet.ts";

const { signal } = new AbortController();

function open(behaviour: readonly object[] = []): DemoFleet {
  return new DemoFleet({ clock: new VirtualClock({ jump: true }), random: () => 0.5, names: ["east"], labels: {}, behaviour });
}

async function untilAborted(controlled: AbortSignal): Promise<void> {
  await once(controlled, "abort");
  controlled.throwIfAborted();
}

test("a controller that fails ends the work with its reason", async (t) => {
  const fleet = open();
  t.after(() => fleet.stop());
  await assert.rejects(fleet.withController(signal, untilAborted), /the management cluster has no eventsources\.lib\.projectsveltos\.io/);
});

test("work that fails ends the controller, and its error is thrown", async (t) => {
  const fleet = open();
  t.after(() => fleet.stop());
  await fleet.prepare(signal);
  await assert.rejects(
    fleet.withController(signal, () => Promise.reject(new Error("no"))),
    { message: "no" },
  );
});

test("behaviour that cannot be read is refused", () => {
  assert.throws(() => open([{ pul: "1s" }]), /rules\[0\]\.pul: unknown field/);
});
