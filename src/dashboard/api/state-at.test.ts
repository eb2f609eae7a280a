import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { stateAt, type Replay, type ReplayStep } from "./index.ts";

const time = fc.integer({ min: 0, max: 1000 });
const step: fc.Arbitrary<ReplayStep> = fc
  .record({ node: fc.constantFrom("a", "b", "c"), run: fc.constantFrom(0, 1), from: time, length: time })
  .chain(({ node, run, from, length }) => {
    const fromMs = run * 1000 + from;
    const open = { node, run, fromMs, waits: [{ atMs: fromMs, because: "slow" }] };
    const ended = { ...open, toMs: fromMs + length };
    return fc.constantFrom<ReplayStep>(open, { ...ended, outcome: "finished" }, { ...ended, outcome: "failed", because: "broken" });
  });
const replay: fc.Arbitrary<Replay> = fc.array(step, { maxLength: 8 }).map((steps) => ({
  revision: 1,
  startedAtMs: 0,
  lengthMs: 4000,
  runs: [
    { operation: "install", fromMs: 0, toMs: 1000 },
    { operation: "install", fromMs: 1000, toMs: 4000 },
  ],
  steps: steps.toSorted((a, b) => a.fromMs - b.fromMs),
}));

test("every node that a run has touched has a state at any time, and no other has", () => {
  fc.assert(
    fc.property(replay, fc.integer({ min: -10, max: 5000 }), (each, ms) => {
      assert.deepEqual(new Set(stateAt(each, ms).keys()), new Set(each.steps.map(({ node }) => node)));
    }),
  );
});

test("a state changes only when a step begins or ends", () => {
  fc.assert(
    fc.property(replay, fc.integer({ min: 0, max: 4999 }), (each, ms) => {
      const moments = [...each.runs, ...each.steps].flatMap(({ fromMs, toMs = -1 }) => [fromMs, toMs]);
      if (!moments.includes(ms + 1)) assert.deepEqual(stateAt(each, ms + 1), stateAt(each, ms));
    }),
  );
});

test("nothing has begun before the start, and at the end only what never ended is under way", () => {
  fc.assert(
    fc.property(replay, (each) => {
      for (const { state } of stateAt(each, -1).values()) assert.equal(state, "waiting");
      for (const [node, { state }] of stateAt(each, 10_000)) {
        const last = Math.max(...each.steps.filter((one) => one.node === node).map(({ run }) => run));
        const steps = each.steps.filter((one) => one.node === node && one.run === last);
        const expected = steps.some(({ outcome }) => outcome === "failed")
          ? "failed"
          : steps.every(({ toMs }) => toMs !== undefined)
            ? "ready"
            : "progressing";
        assert.equal(state, expected);
      }
    }),
  );
});

const told: readonly (readonly [number, string])[] = [
  [0, "waiting"],
  [10, "progressing: no pod yet"],
  [25, "progressing: pulls its image"],
  [30, "gone"],
];

for (const [ms, expected] of told) {
  test(`after ${ms} ms: ${expected}`, () => {
    const waits = [
      { atMs: 10, because: "no pod yet" },
      { atMs: 20, because: "pulls its image" },
    ];
    const steps: readonly ReplayStep[] = [{ node: "a", run: 0, fromMs: 10, toMs: 30, outcome: "finished", isRemoval: true, waits }];
    const runs = [{ operation: "upgrade", fromMs: 0, toMs: 30 }];
    const { state, because } = stateAt({ revision: 1, startedAtMs: 0, lengthMs: 30, runs, steps }, ms).get("a")!;
    assert.equal(because === undefined ? state : `${state}: ${because}`, expected);
  });
}
