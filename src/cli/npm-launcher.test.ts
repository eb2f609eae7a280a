import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../core/clock/index.ts";
import { watchNpx, type ProcessTree } from "./npm-launcher.ts";

type Processes = Record<number, { name: string; parent: number }>;

/** This process is 5. Those above it are npm (2), a shell (3) and an old Node (4). */
const running = (): Processes => ({
  1: { name: "init", parent: 0 },
  2: { name: "npm exec sluice", parent: 1 },
  3: { name: "sh", parent: 2 },
  4: { name: "node", parent: 3 },
  5: { name: "node", parent: 4 },
});

const treeOf = (processes: Processes): ProcessTree => ({ parent: () => processes[5]!.parent, look: (pid) => processes[pid] });

function end(processes: Processes, pid: number): void {
  for (const each of Object.values(processes)) if (each.parent === pid) each.parent = 1;
  delete processes[pid];
}

for (const [ended, isGone] of [
  ["2", true],
  ["3", true],
  ["4", true],
  ["1", false],
] as const) {
  test(`the end of process ${ended} ${isGone ? "ends" : "does not end"} what npx runs`, async () => {
    const clock = new VirtualClock();
    const processes = running();
    let gone = 0;
    watchNpx(clock, () => gone++, "exec", treeOf(processes));
    await clock.advance(5000);
    assert.equal(gone, 0);
    if (ended !== "1") end(processes, Number(ended));
    await clock.advance(5000);
    assert.equal(gone, isGone ? 1 : 0);
  });
}

test("a program that npx does not run outlives its parent", () => {
  for (const command of [undefined, "run-script"])
    assert.equal(
      watchNpx(new VirtualClock(), () => {}, command),
      undefined,
    );
});

test("where npm is not found, the parent alone counts", async () => {
  const clock = new VirtualClock();
  const processes = running();
  processes[2]!.name = "bash";
  let gone = 0;
  watchNpx(clock, () => gone++, "exec", treeOf(processes));
  end(processes, 3);
  await clock.advance(2000);
  assert.equal(gone, 0);
  end(processes, 4);
  await clock.advance(2000);
  assert.equal(gone, 1);
});
