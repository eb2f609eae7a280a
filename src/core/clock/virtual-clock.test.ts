import assert from "node:assert/strict";
import { test } from "node:test";
import { sleep, VirtualClock } from "./index.ts";

/** A clock at zero, and what its timers wrote: `name@time`. */
function scene(options: { jump?: boolean } = {}) {
  const clock = new VirtualClock({ start: 0, ...options });
  const log: string[] = [];
  const note = (name: string) => () => void log.push(`${name}@${clock.now()}`);
  return { clock, note, said: () => log.join(" ") };
}

test("timers fire by time, then in the order they were made", async () => {
  const { clock, note, said } = scene();
  clock.after(20, note("b"));
  clock.after(10, note("a1"));
  clock.after(10, note("a2"));
  clock.after(-5, note("now"));
  await clock.advance(20);
  assert.equal(said(), "now@0 a1@10 a2@10 b@20");
});

test("advance fires what falls due and no more, and time has passed even if nothing did", async () => {
  const { clock, note, said } = scene();
  clock.after(10, note("a"));
  clock.after(11, note("b"));
  await clock.advance(10);
  assert.equal(said(), "a@10");
  await clock.advance(100);
  assert.equal(said(), "a@10 b@11");
  assert.equal(clock.now(), 110);
});

test("a timer made by a timer fires in the same advance when it falls due", async () => {
  const { clock, note, said } = scene();
  clock.after(5, () => clock.after(5, note("inner")));
  clock.after(10, note("outer"));
  await clock.advance(10);
  // Both are due at 10. The outer one was created first.
  assert.equal(said(), "outer@10 inner@10");
});

test("code that awaits goes on before the next instant", async () => {
  const { clock, note, said } = scene();
  const work = async () => {
    await sleep(clock, 10);
    note("first")();
    for (let turns = 0; turns < 20; turns++) await Promise.resolve();
    note("still")();
    await sleep(clock, 10);
    note("second")();
  };
  const done = work();
  clock.after(11, note("other"));
  await clock.advance(20);
  await done;
  assert.equal(said(), "first@10 still@10 other@11 second@20");
});

test("a cancelled timer does not fire, and cancelling twice does no harm", async () => {
  const { clock, note, said } = scene();
  const cancel = clock.after(10, note("gone"));
  const late = clock.after(5, note("fired"));
  cancel();
  cancel();
  await clock.advance(20);
  late();
  assert.equal(said(), "fired@5");
  assert.ok(await clock.settle(), "cancelled and fired timers are no reason to go on");
  assert.equal(clock.now(), 20);
});

test("settle jumps over hours until only background timers are left", async () => {
  const { clock, note, said } = scene();
  clock.after(3_600_000, note("hour"));
  clock.after(1_800_000, note("beat"), { background: true });
  clock.after(7_200_000, note("late beat"), { background: true });
  assert.equal(await clock.settle(), true);
  assert.equal(said(), "beat@1800000 hour@3600000");
  assert.equal(clock.now(), 3_600_000);
});

test("settle gives up after the time it was given", async () => {
  const { clock, note, said } = scene();
  const again = () => {
    note("tick")();
    clock.after(10, again);
  };
  clock.after(10, again);
  assert.equal(await clock.settle({ withinMs: 25 }), false);
  assert.equal(said(), "tick@10 tick@20");
});

test("until jumps to the end of the work, and answers as it does", async () => {
  const { clock } = scene();
  assert.equal(await clock.until(sleep(clock, 1000).then(() => "done")), "done");
  assert.equal(clock.now(), 1000);
  await assert.rejects(clock.until(sleep(clock, 5).then(() => Promise.reject(new Error("failed")))), { message: "failed" });
  assert.equal(await clock.until(Promise.resolve(7)), 7);
});

test("until fails when nothing is left that could end the work", async () => {
  const { clock } = scene();
  await assert.rejects(clock.until(new Promise(() => {})), { message: /no timer left/ });
});

test("a jumping clock goes on by itself, and rests when it has nothing to do", async () => {
  const { clock, note, said } = scene({ jump: true });
  await sleep(clock, 60_000);
  note("a")();
  clock.after(1, note("beat"), { background: true });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(said(), "a@60000", "a background timer makes it go nowhere");
  await sleep(clock, 60_000);
  note("b")();
  assert.equal(said(), "a@60000 beat@60001 b@120000");
});

test("the same program sees the same times every run", async () => {
  const first = await threeSleepers();
  assert.equal(first, "1@1 2@2 1@2 3@3 1@3 2@4 3@6 2@6 3@9");
  assert.equal(await threeSleepers(), first);
});

test("sleep ends with the signal's reason when that comes first", async () => {
  const { clock } = scene();
  const controller = new AbortController();
  const asleep = sleep(clock, 1000, controller.signal);
  controller.abort(new Error("enough"));
  await assert.rejects(asleep, { message: "enough" });
  await assert.rejects(sleep(clock, 1, controller.signal), { message: "enough" });
  assert.ok(await clock.settle(), "its timer is gone");
  assert.equal(clock.now(), 0);
});

async function threeSleepers(): Promise<string> {
  const { clock, note, said } = scene({ jump: true });
  const sleeper = async (ms: number) => {
    for (let turn = 0; turn < 3; turn++) {
      await sleep(clock, ms);
      note(String(ms))();
    }
  };
  await Promise.all([3, 1, 2].map(sleeper));
  return said();
}
