import assert from "node:assert/strict";
import { test } from "node:test";
import { RealClock, sleep } from "./index.ts";

test("real time is the machine's", () => {
  const before = Date.now();
  const now = new RealClock().now();
  assert.ok(before <= now && now <= Date.now());
});

test("a fast clock's hour is over in well under a minute, and not before its hour", async () => {
  const clock = new RealClock({ speed: 1_000_000 });
  const realStart = performance.now();
  const start = clock.now();
  await sleep(clock, 3_600_000);
  // Timers may come a millisecond early by the wall clock, which is a thousand seconds here.
  assert.ok(clock.now() - start >= 3_600_000 - 2_000_000, "at least about the time asked for has passed");
  assert.ok(performance.now() - realStart < 30_000, "3.6 ms of real time, with room for a busy machine");
});

test("a timer that is cancelled does not fire", async () => {
  const clock = new RealClock({ speed: 1000 });
  let fired = false;
  const cancel = clock.after(1000, () => (fired = true));
  cancel();
  cancel();
  await sleep(clock, 5000);
  assert.equal(fired, false);
});

test("a wait that is longer than setTimeout can take does not end at once", async () => {
  const clock = new RealClock();
  let fired = false;
  const cancel = clock.after(2 ** 31 + 1000, () => (fired = true), { background: true });
  await sleep(clock, 5);
  cancel();
  assert.equal(fired, false);
});
