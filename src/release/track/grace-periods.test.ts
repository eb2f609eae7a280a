import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import { failedBecause, progressingBecause, ready, silentBecause, noRoomBecause, type Health } from "../../health/index.ts";
import { GracePeriods, type GraceFacts } from "./grace-periods.ts";

type Turn = readonly [afterMs: number, health: Health, expected: Health["state"], facts?: Partial<GraceFacts>];

const full = noRoomBecause("no node", "unscheduled");
const denied = noRoomBecause("exceeded quota", "denied");
const room = { makesRoom: () => true };
const custom = { isCustom: true };
const deadline = { hasDeadline: true };

const cases: Readonly<Record<string, readonly Turn[]>> = {
  "a failure is one at once": [[0, failedBecause("no image"), "failed"]],
  "so is a pod that was denied": [[0, denied, "failed"]],
  "a pod without a node gets two minutes": [
    [0, full, "progressing"],
    [119_999, full, "progressing"],
    [1, full, "failed"],
  ],
  "a pod that finds a node and loses it again gets them anew": [
    [0, full, "progressing"],
    [100_000, progressingBecause("starting"), "progressing"],
    [0, full, "progressing"],
    [119_999, full, "progressing"],
    [1, full, "failed"],
  ],
  "after room was made it has to last": [
    [0, progressingBecause("no room"), "progressing", room],
    [5_000, denied, "progressing"],
    [10_000, denied, "progressing"],
    [5_001, denied, "failed"],
  ],
  "room that is made again begins anew": [
    [0, progressingBecause("no room"), "progressing", room],
    [14_000, denied, "progressing"],
    [14_000, progressingBecause("no room"), "progressing", room],
    [1_000, denied, "progressing"],
    [15_001, denied, "failed"],
  ],
  "a workload with a deadline that was denied pods is left to its deadline": [
    [0, progressingBecause("denied"), "progressing", { ...room, ...deadline }],
    [500_000, denied, "progressing", deadline],
  ],
  "one without a deadline is not": [
    [0, progressingBecause("denied"), "progressing", room],
    [1_000, denied, "progressing"],
    [15_001, denied, "failed"],
  ],
  "an operator's failure has to last": [
    [0, failedBecause("starting"), "progressing", custom],
    [4_000, failedBecause("starting"), "progressing", custom],
    [0, progressingBecause("busy"), "progressing", custom],
    [4_000, failedBecause("starting"), "progressing", custom],
    [5_000, failedBecause("starting"), "failed", custom],
  ],
  "silence is taken for an answer after a while": [
    [0, silentBecause("nothing yet"), "progressing"],
    [29_000, silentBecause("nothing yet"), "progressing"],
    [1_000, silentBecause("nothing yet"), "ready"],
  ],
  "what is ready is ready": [[0, ready, "ready"]],
};

test("without a scheduling time-out, a pod without a node is a failure at once", () => {
  const grace = new GracePeriods(new VirtualClock(), () => undefined, { schedulingTimeoutMs: 0 });
  assert.equal(grace.apply(full, { makesRoom: () => false, isCustom: false, hasDeadline: false }).state, "failed");
});

for (const [what, turns] of Object.entries(cases)) {
  test(what, async () => {
    const clock = new VirtualClock();
    const grace = new GracePeriods(clock, () => undefined);
    for (const [ms, health, expected, facts = {}] of turns) {
      await clock.advance(ms);
      const weighed = grace.apply(health, { makesRoom: () => false, isCustom: false, hasDeadline: false, ...facts });
      assert.equal(weighed.state, expected, `after ${ms} ms`);
    }
    grace.end();
    assert.equal(await clock.settle({ withinMs: 0 }), true, "no timer is left");
  });
}
