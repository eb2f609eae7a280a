import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../core/clock/index.ts";
import { restart } from "./restart.ts";

const random = () => 0.5;
const backoff = { firstMs: 100, maxMs: 400 };

/** The times of the first runs. `run` gets their number. */
async function startsOf(count: number, run: (start: number, reset: () => void) => void = () => undefined): Promise<readonly number[]> {
  const clock = new VirtualClock({ start: 0 });
  const stop = new AbortController();
  const starts: number[] = [];
  const running = restart({ clock, random, signal: stop.signal, backoff }, async (reset) => {
    starts.push(clock.now());
    run(starts.length, reset);
    if (starts.length === count) stop.abort();
  });
  await clock.until(running);
  return starts;
}

test("delays double up to the limit", async () => {
  assert.deepEqual(await startsOf(6), [0, 100, 300, 700, 1100, 1500]);
});

test("progress starts the delays anew", async () => {
  const starts = await startsOf(6, (start, reset) => {
    if (start === 3) reset();
  });
  assert.deepEqual(starts, [0, 100, 300, 400, 500, 700]);
});

test("a run can stop it, and an error ends it", async () => {
  const clock = new VirtualClock();
  const { signal } = new AbortController();
  let runs = 0;
  await restart({ clock, random, signal }, async () => (runs++, "stop" as const));
  assert.equal(runs, 1);
  await assert.rejects(
    restart({ clock, random, signal }, () => Promise.reject(new Error("broken"))),
    /broken/,
  );
});

test("an abort during a delay ends it at once", async () => {
  const clock = new VirtualClock({ start: 0 });
  const stop = new AbortController();
  const running = restart({ clock, random, signal: stop.signal }, async () => undefined);
  await clock.advance(50);
  stop.abort();
  await running;
  assert.equal(clock.now(), 50);
});
