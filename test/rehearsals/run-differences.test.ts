import assert from "node:assert/strict";
import { test } from "node:test";
import type { Progress } from "../../src/release/index.ts";
import type { Plan, Step } from "../../src/release/plan/index.ts";
import { runDifferences } from "./run-differences.ts";

const ref = (name: string) => ({ group: "", version: "v1", kind: "ConfigMap", namespace: "default", name });
const step = (id: string, ...needs: readonly string[]): Step => ({
  id,
  action: { verb: "delete", ref: ref(id), propagation: "background" },
  needs: needs.map((need) => ({ id: need, because: "" })),
  stage: "main",
  rank: 0,
});
const plan: Plan = { version: 1, operation: "install", steps: [step("a"), step("b", "a")], kept: [] };
const event = (type: "started" | "finished", id: string): Progress => ({ type, verb: "apply", ref: ref(id), id });
const failed = (id: string): Progress => ({ type: "failed", verb: "apply", ref: ref(id), id, because: "" });
const planned: Progress = { type: "planned", plan };
const good: Progress = { type: "done", status: "deployed" };
const bad: Progress = { type: "done", status: "failed" };

const real: readonly Progress[] = [
  planned,
  event("started", "a"),
  event("finished", "a"),
  event("started", "b"),
  event("finished", "b"),
  good,
];

const rows: Readonly<Record<string, { rehearsed: readonly Progress[]; differs: RegExp }>> = {
  "another end": { rehearsed: [...real.slice(0, -1), bad], differs: /^the end: rehearsed failed, really deployed$/m },
  "a failure": {
    rehearsed: [planned, event("started", "a"), failed("a"), bad],
    differs: /^what failed: rehearsed apply configmap\/a, really nothing$/m,
  },
  "a step that is not done": {
    rehearsed: [planned, event("started", "a"), event("finished", "a"), good],
    differs: /^what finished: rehearsed apply configmap\/a, really apply configmap\/a, apply configmap\/b$/m,
  },
  "another order along an edge": {
    rehearsed: [planned, event("started", "b"), event("finished", "b"), event("started", "a"), event("finished", "a"), good],
    differs: /^the order along edges: rehearsed a after b, really a before b$/m,
  },
};

test("a run that goes as rehearsed does not differ", () => assert.deepEqual(runDifferences(real, real), []));

for (const [what, { rehearsed, differs }] of Object.entries(rows)) {
  test(`a run differs from its rehearsal by ${what}`, () => assert.match(runDifferences(rehearsed, real).join("\n"), differs));
}
