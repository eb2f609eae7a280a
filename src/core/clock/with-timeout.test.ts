import assert from "node:assert/strict";
import { test } from "node:test";
import { sleep, VirtualClock, withTimeout } from "./index.ts";

const late = new Error("too late");

test("work that ends in time gives its result, and leaves no timer", async () => {
  const clock = new VirtualClock();
  assert.equal(await clock.until(withTimeout(clock, 1000, late, (signal) => sleep(clock, 999, signal).then(() => "done"))), "done");
  assert.equal(await clock.settle(), true);
});

test("late work is aborted with the reason", async () => {
  const clock = new VirtualClock();
  await assert.rejects(clock.until(withTimeout(clock, 1000, late, (signal) => sleep(clock, 1001, signal))), late);
});

test("another signal aborts it too", async () => {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const working = withTimeout(clock, 1000, late, (signal) => sleep(clock, 999, signal), { signal: stop.signal });
  stop.abort(new Error("stopped"));
  await assert.rejects(clock.until(working), /stopped/);
});
