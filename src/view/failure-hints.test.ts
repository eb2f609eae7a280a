import assert from "node:assert/strict";
import { test } from "node:test";
import type { Plan, Step } from "../release/plan/index.ts";
import { failureHints, type ProgressRow } from "./index.ts";

const ref = { group: "batch", version: "v1", kind: "Job", namespace: "shop", name: "before" };
const step: Step = {
  id: "await/before",
  action: { verb: "delete", ref, propagation: "background" },
  needs: [],
  stage: "pre",
  rank: 0,
};
const plan = (operation: Plan["operation"], hook: boolean): Plan => ({ version: 1, operation, steps: [{ ...step, hook }], kept: [] });
const failed = (because: string): ProgressRow => ({
  ref,
  left: 0,
  failure: { type: "failed", verb: "await", ref, id: step.id, because },
});

const noHooks = "hint: --no-hooks deletes the release without running its hooks";
const scheduling = "hint: --scheduling-timeout, or the annotation sluice.dev/scheduling-timeout, gives pods more time to find a node";
const unscheduled = "0 of 1 replicas available; pod web-1 cannot be scheduled: 0/1 nodes are available";

const cases: readonly (readonly [string, Plan, readonly ProgressRow[], readonly string[]])[] = [
  ["a hook of a deletion", plan("delete", true), [failed("it has failed")], [noHooks]],
  ["a hook of a deploy, which matters", plan("upgrade", true), [failed("it has failed")], []],
  ["an object of a deletion", plan("delete", false), [failed("it is kept by a finalizer")], []],
  ["pods that find no node", plan("install", false), [failed(unscheduled)], [scheduling]],
  ["both", plan("delete", true), [failed(unscheduled)], [noHooks, scheduling]],
  ["nothing failed", plan("delete", true), [{ ref, left: 1 }], []],
];

for (const [what, of, rows, expected] of cases) test(`hints: ${what}`, () => assert.deepEqual(failureHints(of, rows), expected));
