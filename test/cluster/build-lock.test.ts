import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { VirtualClock } from "../../src/core/clock/index.ts";
import { isProcessAlive, withBuildLock } from "./build-lock.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-lock-"));
after(() => rmSync(folder, { recursive: true }));
const clock = new VirtualClock();
const silent = () => {};

test("two pieces of work under one lock do not overlap, and the one that waits names the holder", async () => {
  const path = join(folder, "a.lock");
  const said: string[] = [];
  const first = Promise.withResolvers<void>();
  const order: string[] = [];
  const one = withBuildLock(path, clock, silent, async () => {
    await first.promise;
    order.push("one");
  });
  const two = withBuildLock(
    path,
    clock,
    (line) => said.push(line),
    async () => void order.push("two"),
  );
  await clock.advance(2000);
  assert.deepEqual(order, []);
  first.resolve();
  await clock.until(Promise.all([one, two]));
  assert.deepEqual(order, ["one", "two"]);
  assert.deepEqual(said, [`waiting for process ${process.pid}, which is building the same`]);
  assert.equal(existsSync(path), false);
});

test("a lock is given back when the work fails", async () => {
  const path = join(folder, "b.lock");
  await assert.rejects(
    withBuildLock(path, clock, silent, () => Promise.reject(new Error("no"))),
    /no/,
  );
  assert.equal(existsSync(path), false);
});

test("the lock of a process that is gone does not count", async () => {
  const path = join(folder, "c.lock");
  const gone = 2 ** 22 + 1; // beyond the largest process id
  assert.equal(isProcessAlive(gone), false);
  writeFileSync(path, String(gone));
  assert.equal(await clock.until(withBuildLock(path, clock, silent, async () => "done")), "done");
});
