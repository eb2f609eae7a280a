import assert from "node:assert/strict";
import { test } from "node:test";
import type { StepProgress } from "../release/index.ts";
import { stepProgressLine, table } from "./index.ts";

const web = { group: "apps", version: "v1", kind: "Deployment", namespace: "shop", name: "web" };
const lines: readonly (readonly [StepProgress, string])[] = [
  [{ type: "started", verb: "apply", ref: web }, "applying deployment/web in shop"],
  [{ type: "finished", verb: "apply", ref: web }, "applied  deployment/web in shop"],
  [
    { type: "waiting", verb: "await", ref: web, because: "1 of 3 replicas available" },
    "waiting  deployment/web in shop: 1 of 3 replicas available",
  ],
  [{ type: "finished", verb: "await", ref: web }, "ready    deployment/web in shop"],
  [{ type: "finished", verb: "await", ref: web, because: "paused" }, "ready    deployment/web in shop: paused"],
  [{ type: "failed", verb: "await", ref: { ...web, namespace: "" }, because: "no" }, "failed   deployment/web: no"],
  [{ type: "started", verb: "delete", ref: web }, "deleting deployment/web in shop"],
  [{ type: "finished", verb: "delete", ref: web }, "deleted  deployment/web in shop"],
  [{ type: "skipped", verb: "apply", ref: web, because: "db failed" }, "skipped  deployment/web in shop: db failed"],
];

for (const [progress, line] of lines) test(line, () => assert.equal(stepProgressLine(progress), line));

test("a table lines up its columns and leaves no blanks at the end", () => {
  assert.deepEqual(
    table(
      ["OBJECT", "STATE"],
      [
        ["deployment/web", "ready"],
        ["job/a", ""],
      ],
    ),
    ["OBJECT          STATE", "deployment/web  ready", "job/a"],
  );
});
