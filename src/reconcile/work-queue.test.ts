import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import "../../test/support/fixed-seed.ts";
import { sleep, VirtualClock } from "../core/clock/index.ts";
import { Fault } from "../core/fault/index.ts";
import { reconciled, WorkQueue, type ReconcileResult, type WorkQueueOptions, type Reconcile } from "./index.ts";

/** A running queue and its transcript: `0 a+` means that a started at second 0, `2 a-` that it ended at 2. */
function lab(work: (key: string, signal: AbortSignal) => Promise<ReconcileResult | void>, options: Partial<WorkQueueOptions> = {}) {
  const clock = new VirtualClock();
  const start = clock.now();
  const log: string[] = [];
  const second = () => (clock.now() - start) / 1000;
  const queue = new WorkQueue({ clock, backoff: { firstMs: 1000, maxMs: 8000 }, ...options });
  const stop = new AbortController();
  const reconcile: Reconcile = async (key, signal) => {
    log.push(`${second()} ${key}+`);
    try {
      return (await work(key, signal)) ?? reconciled;
    } finally {
      log.push(`${second()} ${key}-`);
    }
  };
  const running = queue.run(reconcile, stop.signal);
  return {
    clock,
    queue,
    log,
    stop,
    running,
    second,
    starts: () => log.filter((line) => line.endsWith("+")).map((line) => line.slice(0, -1)),
  };
}

test("a key that is added again while it is worked on runs once more, however often that was", async () => {
  const { clock, queue, log } = lab(() => sleep(clock, 2000));
  queue.add("a");
  await clock.advance(1000);
  queue.add("a");
  queue.add("a");
  await clock.advance(10_000);
  assert.deepEqual(log, ["0 a+", "2 a-", "2 a+", "4 a-"]);
  assert.deepEqual(queue.state().depth + queue.state().running + queue.state().delayed, 0);
});

test("when a server is back, keys that failed are tried at once, and those that asked for a time keep it", async () => {
  const listeners: (() => void)[] = [];
  let isBack = false;
  const { clock, queue, starts } = lab(
    async (key) => {
      if (key === "a" && !isBack) throw new Fault("away");
      return key === "b" ? { settled: false, requeueAfterMs: 60_000 } : reconciled;
    },
    { backoff: { firstMs: 30_000, maxMs: 30_000 }, onRecovery: (listener) => listeners.push(listener) },
  );
  queue.add("a");
  queue.add("b");
  await clock.advance(5000);
  isBack = true;
  for (const listener of listeners) listener();
  await clock.advance(10_000);
  assert.deepEqual(starts(), ["0 a", "0 b", "5 a"]);
});

test("failures are tried again, later each time up to the longest wait, and success starts over", async () => {
  let fails = 6;
  const { clock, queue, starts } = lab(async () => {
    if (fails-- > 0) throw new Error("no");
  });
  queue.add("a");
  await clock.advance(100_000);
  assert.deepEqual(starts(), ["0 a", "1 a", "3 a", "7 a", "15 a", "23 a", "31 a"]);
  fails = 1;
  queue.add("a");
  await clock.advance(100_000);
  assert.deepEqual(starts().slice(-2), ["100 a", "101 a"]);
  assert.equal(queue.state().failed, 7);
  assert.equal(queue.state().retried, 7);
});

test("waits are spread by chance, a quarter to each side", async () => {
  for (const [chance, at] of [
    [0, "0.75 a"],
    [1, "1.25 a"],
  ] as const) {
    const { clock, queue, starts } = lab(() => Promise.reject(new Error("no")), { random: () => chance });
    queue.add("a");
    await clock.advance(2000);
    assert.equal(starts()[1], at);
  }
});

test("a final fault waits until the key is added again, and is reported", async () => {
  const reported: unknown[] = [];
  const { clock, queue, starts } = lab(() => Promise.reject(new Fault("bad template", undefined, { final: true })), {
    report: ({ key, failures, requeueAfterMs }) => reported.push([key, failures, requeueAfterMs]),
  });
  queue.add("a");
  await clock.advance(1000_000);
  queue.add("a");
  await clock.advance(1000_000);
  assert.deepEqual(starts(), ["0 a", "1000 a"]);
  assert.deepEqual(reported, [
    ["a", 1, undefined],
    ["a", 2, undefined],
  ]);
});

test("an event does not wait for a back-off to end", async () => {
  const { clock, queue, starts } = lab(() => Promise.reject(new Error("no")));
  queue.add("a");
  await clock.advance(3500);
  queue.add("a");
  await clock.advance(0);
  assert.deepEqual(starts(), ["0 a", "1 a", "3 a", "3.5 a"]);
});

test("delayed keys come in their time, the earliest time counts, and a run in between starts over", async () => {
  const { clock, queue, starts } = lab(async (key) => (key === "b" ? { settled: false, requeueAfterMs: 30_000 } : reconciled));
  queue.addAfter("a", 10_000);
  queue.addAfter("a", 5000);
  queue.addAfter("a", 20_000);
  await clock.advance(4000);
  assert.equal(queue.state().delayed, 1);
  await clock.advance(26_000);
  assert.deepEqual(starts(), ["5 a"]);
  queue.add("b");
  await clock.advance(20_000);
  queue.add("b");
  await clock.advance(29_000);
  assert.deepEqual(starts().slice(1), ["30 b", "50 b"]);
  await clock.advance(1000);
  assert.equal(starts().at(-1), "80 b");
});

test("a dropped key is forgotten with its waits and failures; what runs is not repeated", async () => {
  const { clock, queue, starts } = lab(async () => {
    await sleep(clock, 1000);
    throw new Error("no");
  });
  queue.add("a");
  queue.addAfter("b", 5000);
  await clock.advance(500);
  queue.drop("a");
  queue.drop("b");
  await clock.advance(60_000);
  assert.deepEqual(starts(), ["0 a"]);
  queue.add("a");
  await clock.advance(0);
  queue.drop("a");
  queue.add("a");
  await clock.advance(1000);
  assert.deepEqual(starts().slice(1), ["60.5 a", "61.5 a"]);
});

test("an unreachable cluster blocks its own lane only, and one worker after a failure", async () => {
  const { clock, queue, starts, log } = lab(
    async (key) => {
      if (!key.startsWith("dead")) return;
      await sleep(clock, 30_000);
      throw new Error("time is up");
    },
    { workers: 4, perLane: 3, laneOf: (key) => key.split("/")[0]! },
  );
  for (let index = 0; index < 10; index++) queue.add(`dead/${index}`);
  for (let index = 0; index < 3; index++) queue.add(`well/${index}`);
  await clock.advance(0);
  assert.deepEqual(starts(), ["0 dead/0", "0 dead/1", "0 dead/2", "0 well/0", "0 well/1", "0 well/2"]);
  assert.deepEqual(queue.state().lanes, { dead: { depth: 7, running: 3 } });
  await clock.advance(29_000);
  assert.deepEqual([queue.state().oldestMs, queue.state().longestRunMs], [29_000, 29_000]);
  log.length = 0;
  await clock.advance(30_000);
  assert.equal(queue.state().running, 1);
});

test("lanes take turns", async () => {
  const { clock, queue, starts } = lab(() => sleep(clock, 1000), { workers: 1, laneOf: (key) => key[0]! });
  for (const key of ["a1", "a2", "a3", "a4", "b1", "b2", "c1"]) queue.add(key);
  await clock.advance(10_000);
  // A new key comes after the queued ones.
  assert.deepEqual(starts(), ["0 a1", "1 a2", "2 b1", "3 c1", "4 a3", "5 b2", "6 a4"]);
});

test("it stops on request: runs are aborted and waited for, what waits is not begun", async () => {
  const { clock, queue, log, stop, running } = lab((_, signal) => sleep(clock, 60_000, signal), { workers: 1 });
  queue.add("a");
  queue.add("b");
  queue.addAfter("c", 100);
  await clock.advance(50);
  stop.abort(new Error("enough"));
  await running;
  await clock.advance(100_000);
  assert.deepEqual(log, ["0 a+", "0.05 a-"]);
});

test("it ends when the very first work ends it", { timeout: 5000 }, async () => {
  const queue = new WorkQueue({ clock: new VirtualClock() });
  const stop = new AbortController();
  queue.add("a");
  const running = queue.run(async () => {
    stop.abort();
    return reconciled;
  }, stop.signal);
  await running;
  assert.equal(queue.state().running, 0);
});

test("whatever is added when: nothing runs twice at once, limits hold, and every add is followed by a run", async () => {
  const step = fc.record({ at: fc.nat(20), key: fc.constantFrom("a1", "a2", "a3", "b1", "b2", "c1"), delay: fc.constantFrom(0, 0, 3) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.array(fc.nat(4), { minLength: 1 }), async (steps, durations) => {
      const running = new Map<string, number>();
      const lastStart = new Map<string, number>();
      let index = 0;
      const { clock, queue, second } = lab(
        async (key) => {
          running.set(key, (running.get(key) ?? 0) + 1);
          lastStart.set(key, second());
          assert.equal(running.get(key), 1, `${key} runs twice`);
          const busy = [...running].filter(([, count]) => count > 0).map(([name]) => name);
          assert.ok(busy.length <= 3 && busy.filter((name) => name[0] === key[0]).length <= 2, busy.join());
          const duration = durations[index++ % durations.length]!;
          await sleep(clock, duration * 1000);
          running.set(key, 0);
          if (duration === 3) throw new Error("no");
        },
        { workers: 3, perLane: 2, laneOf: (key) => key[0]!, report: ({ error }) => assert.match(String(error), /^Error: no$/) },
      );
      const lastAdd = new Map<string, number>();
      for (const { at, key, delay } of steps.toSorted((a, b) => a.at - b.at)) {
        await clock.advance(at * 1000 - second() * 1000);
        if (delay === 0) queue.add(key);
        else queue.addAfter(key, delay * 1000);
        lastAdd.set(key, at);
      }
      await clock.advance(1000_000);
      for (const [key, at] of lastAdd) assert.ok((lastStart.get(key) ?? -1) >= at, `${key} was not worked on after ${at}`);
    }),
    { numRuns: 60 },
  );
});

test("keys that are objects are the same work when they have the same identity", async () => {
  const clock = new VirtualClock();
  const log: string[] = [];
  type Key = { readonly cluster: string; readonly name: string };
  const queue = new WorkQueue<Key>({
    clock,
    identity: ({ cluster, name }) => `${cluster}/${name}`,
    laneOf: ({ cluster }) => cluster,
    report: ({ key }) => log.push(`failed ${key}`),
  });
  const stop = new AbortController();
  for (const name of ["a", "b", "a"]) queue.add({ cluster: "c1", name });
  queue.addAfter({ cluster: "c2", name: "a" }, 1000);
  queue.add({ cluster: "c1", name: "dropped" });
  queue.drop({ cluster: "c1", name: "dropped" });
  const running = queue.run(async ({ cluster, name }) => {
    log.push(`${cluster} ${name}`);
    if (name === "b") throw new Fault("no", undefined, { final: true });
    return reconciled;
  }, stop.signal);
  await clock.advance(2000);
  stop.abort();
  await running;
  assert.deepEqual(log, ["c1 a", "c1 b", "failed c1/b", "c2 a"]);
});
