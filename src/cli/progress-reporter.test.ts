import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../core/clock/index.ts";
import type { StepProgress, Progress } from "../release/index.ts";
import { defaultTracking, type Action } from "../release/plan/index.ts";
import { VirtualScreen } from "../../test/support/screen.ts";
import { plainPaint } from "../view/index.ts";
import { progressReporter } from "./progress-reporter.ts";

const ref = { group: "", version: "v1", kind: "Pod", namespace: "", name: "p" };
const waiting: StepProgress = { type: "waiting", verb: "await", ref, because: "no node" };
const planned: Progress = {
  type: "planned",
  plan: {
    version: 1,
    operation: "install",
    kept: [],
    steps: [
      {
        id: "await",
        action: { verb: "await", ref, gates: [{ until: "ready" }], external: false, tracking: defaultTracking },
        needs: [],
        stage: "main",
        rank: 0,
      },
    ],
  },
};
const ready: StepProgress = { type: "finished", verb: "await", ref };

function screenOf(lines = 10) {
  const screen = new VirtualScreen({ columns: 40, lines });
  const line = (text: string) => screen.write(`${text}\n`);
  return {
    terminal: { out: line, err: line, paint: plainPaint, screen },
    seen: () => screen.seen,
    resize: (size: { columns: number; lines: number }) => screen.resize(size),
  };
}

test("on a terminal a run is one picture that changes in place, and ends as lines", async () => {
  const clock = new VirtualClock();
  const { terminal, seen } = screenOf();
  const reporter = progressReporter({ output: "text", clock, cluster: "c" }, terminal);
  void reporter.report(planned);
  void reporter.report(waiting);
  await clock.advance(50);
  assert.deepEqual(seen(), ["pod/p  waiting  0s  no node", "0 of 1 done"]);
  await clock.advance(5000);
  assert.deepEqual(seen(), ["pod/p  waiting  5s  no node", "0 of 1 done"]);
  reporter.printLine("warning: beware");
  assert.deepEqual(seen(), ["warning: beware", "pod/p  waiting  5s  no node", "0 of 1 done"]);
  void reporter.report(ready);
  reporter.end();
  assert.deepEqual(seen(), ["warning: beware", "ready    pod/p"]);
});

test("nothing is drawn any more after the end", async () => {
  const clock = new VirtualClock();
  const { terminal, seen } = screenOf();
  const reporter = progressReporter({ output: "text", clock, cluster: "c" }, terminal);
  void reporter.report(ready);
  reporter.end();
  await clock.advance(60_000);
  assert.deepEqual(seen(), ["ready    pod/p"]);
});

const logged = (line: string): Progress => ({ type: "log", ref, id: "await", pod: "p", container: "c", line });

test("what containers write scrolls above the picture", async () => {
  const clock = new VirtualClock();
  const { terminal, seen } = screenOf();
  const reporter = progressReporter({ output: "text", clock, cluster: "c" }, terminal);
  for (const event of [planned, waiting, logged("one"), logged("two\u001B[2J")]) assert.equal(reporter.report(event), undefined);
  await clock.advance(50);
  assert.deepEqual(seen(), ["log      pod/p, c: one", "log      pod/p, c: two", "pod/p  waiting  0s  no node", "0 of 1 done"]);
  void reporter.report(logged("three"));
  reporter.end();
  assert.deepEqual(seen().slice(2), ["log      pod/p, c: three", "waiting  pod/p: no node"]);
});

test("a flood of lines is printed with the pictures, and whoever reports them is told to wait for the next one", async () => {
  const clock = new VirtualClock();
  const { terminal } = screenOf();
  const writes: string[] = [];
  const reporter = progressReporter({ output: "text", clock, cluster: "c" }, { ...terminal, out: (text) => void writes.push(text) });
  void reporter.report(planned);
  let waited: Promise<void> | undefined;
  let lines = 0;
  for (; waited === undefined && lines < 10_000; lines++) waited = reporter.report(logged("x"));
  assert.equal(lines, 500);
  await clock.until(waited!);
  assert.deepEqual([writes.length, writes[0]!.split("\n").length], [1, 500]);
  reporter.end();
});

/** Sixty pods, of which the first forty are ready and the rest is being waited for. */
const pods = Array.from({ length: 60 }, (_, at) => ({ ...ref, name: `p${at}` }));
const sixty: Progress = {
  type: "planned",
  plan: {
    ...planned.plan,
    steps: planned.plan.steps.flatMap((step) => pods.map((pod) => ({ ...step, action: { ...step.action, ref: pod } as Action }))),
  },
};
const news: readonly Progress[] = [
  sixty,
  ...pods.map((pod): Progress => ({ ...waiting, ref: pod })),
  ...pods.slice(0, 40).map((pod): Progress => ({ ...ready, ref: pod })),
];

test("sixty objects on eight rows leave nothing behind above the picture", async () => {
  const clock = new VirtualClock();
  const { terminal, seen } = screenOf(8);
  const reporter = progressReporter({ output: "text", clock, cluster: "c" }, terminal);
  terminal.out("$ sluice apply");
  for (const event of news) void reporter.report(event);
  await clock.advance(60_050);
  assert.deepEqual(seen(), [
    "$ sluice apply",
    "pod/p40  waiting  1m0s  no node",
    "pod/p41  waiting  1m0s  no node",
    "pod/p42  waiting  1m0s  no node",
    "pod/p43  waiting  1m0s  no node",
    "pod/p44  waiting  1m0s  no node",
    "… and 55 more: 15 waiting, 40 ready",
    "40 of 60 done",
  ]);
  reporter.end();
  assert.deepEqual(seen(), [
    "$ sluice apply",
    "waiting  pod/p40: no node",
    "waiting  pod/p41: no node",
    "waiting  pod/p42: no node",
    "… and 57 more: 17 waiting, 40 ready",
  ]);
});

test("the picture follows the size of the terminal at once", () => {
  const { terminal, seen, resize } = screenOf(8);
  const reporter = progressReporter({ output: "text", clock: new VirtualClock(), cluster: "c" }, terminal);
  terminal.out("$");
  for (const event of news) void reporter.report(event);
  resize({ columns: 40, lines: 12 });
  assert.deepEqual(seen().slice(0, 2), ["$", "pod/p40  waiting  0s  no node"]);
  assert.equal(seen().length, 12);
  reporter.end();
  resize({ columns: 40, lines: 10 });
  assert.equal(seen().at(-1), "… and 53 more: 13 waiting, 40 ready");
});

test("a terminal that becomes narrower wraps what is drawn, and no half line of it stays", async () => {
  const clock = new VirtualClock();
  const { terminal, seen, resize } = screenOf();
  const reporter = progressReporter({ output: "text", clock, cluster: "c" }, terminal);
  terminal.out("$");
  void reporter.report(planned);
  void reporter.report(waiting);
  await clock.advance(50);
  resize({ columns: 16, lines: 10 });
  assert.deepEqual(seen(), ["$", "pod/p  waiting …", "0 of 1 done"]);
  resize({ columns: 40, lines: 10 });
  assert.deepEqual(seen(), ["$", "pod/p  waiting  0s  no node", "0 of 1 done"]);
  reporter.end();
});

test("-o ndjson stays JSON on a terminal too", () => {
  const { terminal, seen } = screenOf();
  const reporter = progressReporter({ output: "ndjson", clock: new VirtualClock(), cluster: "c" }, terminal);
  void reporter.report(waiting);
  reporter.end();
  assert.deepEqual(
    seen().map((line) => (JSON.parse(line) as StepProgress).type),
    ["waiting"],
  );
});
