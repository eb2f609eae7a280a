import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../core/clock/index.ts";
import type { StepProgress, Progress } from "../release/index.ts";
import { defaultTracking } from "../release/plan/index.ts";
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

/** A terminal that knows what is to be seen on it, by carrying out the two movements that are asked of it. */
function screenOf(lines = 10) {
  let seen: string[] = [""];
  const add = (text: string) => {
    const [first = "", ...more] = text.split("\n");
    seen = [...seen.slice(0, -1), (seen.at(-1) ?? "") + first, ...more];
  };
  const write = (text: string) => {
    const [first = "", ...moves] = text.split("\u001B[");
    add(first);
    for (const move of moves) {
      const [, count = "", letter = "", rest = ""] = /^(\d+)([A-Z])(.*)$/s.exec(move) ?? [];
      if (letter === "A") seen = seen.slice(0, seen.length - Number(count));
      else seen = [...seen.slice(0, -1), ""];
      add(rest);
    }
  };
  const line = (text: string) => write(`${text}\n`);
  return {
    terminal: { out: line, err: line, paint: plainPaint, screen: { write, size: () => ({ columns: 40, lines }) } },
    seen: () => seen.filter((text) => text !== ""),
  };
}

test("on a terminal a run is one picture that changes in place, and ends as lines", async () => {
  const clock = new VirtualClock();
  const { terminal, seen } = screenOf();
  const reporter = progressReporter({ output: "text", clock, cluster: "c" }, terminal);
  reporter.report(planned);
  reporter.report(waiting);
  assert.deepEqual(seen(), ["pod/p  waiting  0s  no node", "0 of 1 done"]);
  await clock.advance(5000);
  assert.deepEqual(seen(), ["pod/p  waiting  5s  no node", "0 of 1 done"]);
  reporter.printLine("warning: beware");
  assert.deepEqual(seen(), ["warning: beware", "pod/p  waiting  5s  no node", "0 of 1 done"]);
  reporter.report(ready);
  reporter.end();
  assert.deepEqual(seen(), ["warning: beware", "ready    pod/p"]);
});

test("nothing is drawn any more after the end", async () => {
  const clock = new VirtualClock();
  const { terminal, seen } = screenOf();
  const reporter = progressReporter({ output: "text", clock, cluster: "c" }, terminal);
  reporter.report(ready);
  reporter.end();
  await clock.advance(60_000);
  assert.deepEqual(seen(), ["ready    pod/p"]);
});

test("-o ndjson stays JSON on a terminal too", () => {
  const { terminal, seen } = screenOf();
  const reporter = progressReporter({ output: "ndjson", clock: new VirtualClock(), cluster: "c" }, terminal);
  reporter.report(waiting);
  reporter.end();
  assert.deepEqual(
    seen().map((line) => (JSON.parse(line) as StepProgress).type),
    ["waiting"],
  );
});
