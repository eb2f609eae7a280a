import assert from "node:assert/strict";
import { test } from "node:test";
import type { OverviewFinding } from "../../../src/dashboard/api/index.ts";
import { activitiesIn } from "./activity.ts";

const release = (name: string, state: string, updatedAtMs = 0) =>
  ({ type: "release", namespace: "shop", name, revision: 1, state, updatedAtMs }) as const;
const finding = (name: string, severity: OverviewFinding["severity"], sinceMs: number): OverviewFinding => ({
  type: "finding",
  severity,
  object: { kind: "ClusterProfile", namespace: "", name },
  reason: "Failed",
  message: "no",
  clusters: [],
  clusterCount: 0,
  sinceMs,
});

test("what fails comes first, then what is being deployed, then drift; what is deployed is not told", () => {
  const all = activitiesIn(
    [release("a", "deployed"), release("busy", "pending-upgrade", 9), release("bad", "failed", 1), release("odd", "unknown")],
    [finding("new", "failing", 5), finding("moved", "drift", 7), finding("idle", "noted", 8)],
  );
  assert.deepEqual(
    all.map(({ group, subject }) => `${group} ${subject.type === "release" ? subject.release.name : subject.finding.object.name}`),
    ["failing new", "failing bad", "deploying busy", "drift moved", "noted idle", "noted odd"],
  );
});
