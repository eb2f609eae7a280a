import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "../../../core/object/index.ts";
import { newDeploymentCondition, setDeploymentCondition, type DeploymentCondition } from "./deployment-condition.ts";
import { progressCheckInMs, withProgress } from "./progress.ts";

const nowMs = Date.UTC(2030, 0, 1);
const seconds = (ago: number) => new Date(nowMs - ago * 1000).toISOString().replace(".000", "");

type Progress = { readonly reason: string; readonly ago: number; readonly status?: string };

/** A Deployment of 3 with these counts of replicas, updated, ready and available ones in its status. */
function deployment(counts: readonly number[], progress?: Progress, deadline = 600): KubeObject {
  const [replicas, updatedReplicas, readyReplicas, availableReplicas] = counts;
  const said =
    progress === undefined
      ? []
      : [
          {
            type: "Progressing",
            status: progress.status ?? "True",
            reason: progress.reason,
            lastUpdateTime: seconds(progress.ago),
            lastTransitionTime: seconds(900),
          },
        ];
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", generation: 1 },
    spec: { replicas: 3, progressDeadlineSeconds: deadline },
    status: { observedGeneration: 1, replicas, updatedReplicas, readyReplicas, availableReplicas, conditions: said },
  };
}

const updated = { reason: "ReplicaSetUpdated", ago: 60 };

// After TestSyncRolloutStatus in pkg/controller/deployment/progress_test.go and TestDeploymentTimedOut in its util
const rows: readonly { title: string; before: KubeObject; after: readonly number[]; expected: string | undefined }[] = [
  {
    title: "no deadline, nothing to say",
    before: deployment([1, 1, 0, 0], updated, 2 ** 31 - 1),
    after: [1, 1, 0, 0],
    expected: undefined,
  },
  {
    title: "all there",
    before: deployment([3, 3, 2, 2], updated),
    after: [3, 3, 3, 3],
    expected: "True NewReplicaSetAvailable: it has successfully progressed.",
  },
  {
    title: "one more new Pod",
    before: deployment([3, 1, 1, 1], updated),
    after: [3, 2, 1, 1],
    expected: "True ReplicaSetUpdated: it is progressing.",
  },
  {
    title: "one old Pod less",
    before: deployment([4, 2, 2, 2], updated),
    after: [3, 2, 2, 2],
    expected: "True ReplicaSetUpdated: it is progressing.",
  },
  {
    title: "one more ready",
    before: deployment([3, 3, 1, 1], updated),
    after: [3, 3, 2, 1],
    expected: "True ReplicaSetUpdated: it is progressing.",
  },
  {
    title: "nothing, in time",
    before: deployment([3, 2, 1, 1], updated),
    after: [3, 2, 1, 1],
    expected: "True ReplicaSetUpdated: undefined",
  },
  {
    title: "nothing, too late",
    before: deployment([3, 2, 1, 1], { reason: "ReplicaSetUpdated", ago: 601 }),
    after: [3, 2, 1, 1],
    expected: "False ProgressDeadlineExceeded: it has timed out progressing.",
  },
  {
    title: "progress after all",
    before: deployment([3, 2, 1, 1], { reason: "ProgressDeadlineExceeded", ago: 900, status: "False" }),
    after: [3, 3, 1, 1],
    expected: "True ReplicaSetUpdated: it is progressing.",
  },
  {
    title: "a rollout that was through does not time out",
    before: deployment([3, 3, 2, 2], { reason: "NewReplicaSetAvailable", ago: 9000 }),
    after: [3, 3, 1, 1],
    expected: "True NewReplicaSetAvailable: undefined",
  },
];

const progressingIn = (conditions: readonly DeploymentCondition[]) => conditions.find(({ type }) => type === "Progressing");

for (const { title, before, after, expected } of rows) {
  test(`progress: ${title}`, () => {
    const [replicas, updatedReplicas, readyReplicas, availableReplicas] = after;
    const status = { observedGeneration: 1, replicas, updatedReplicas, readyReplicas, availableReplicas };
    const present = (before["status"] as { conditions: readonly DeploymentCondition[] }).conditions;
    const said = progressingIn(withProgress(before, status, present, "it", nowMs));
    assert.equal(said === undefined ? undefined : `${said.status} ${said.reason}: ${said.message}`, expected);
  });
}

test("progress updates lastUpdateTime, and keeps lastTransitionTime", () => {
  const before = deployment([3, 1, 1, 1], updated);
  const present = (before["status"] as { conditions: readonly DeploymentCondition[] }).conditions;
  const said = progressingIn(
    withProgress(
      before,
      { observedGeneration: 1, replicas: 3, updatedReplicas: 2, readyReplicas: 1, availableReplicas: 1 },
      present,
      "it",
      nowMs,
    ),
  );
  assert.deepEqual([said?.lastUpdateTime, said?.lastTransitionTime], [seconds(0), seconds(900)]);
});

for (const [title, of, expected] of [
  ["a deadline that runs", deployment([3, 2, 1, 1], updated), 541_000],
  ["a deadline that has run out a moment ago", deployment([3, 2, 1, 1], { reason: "ReplicaSetUpdated", ago: 600 }), 1000],
  ["a resumed rollout", deployment([3, 2, 1, 1], { reason: "DeploymentResumed", ago: 100, status: "Unknown" }), 501_000],
  ["one that has timed out", deployment([3, 2, 1, 1], { reason: "ProgressDeadlineExceeded", ago: 700, status: "False" }), undefined],
  ["one that is done", deployment([3, 3, 3, 3], { reason: "NewReplicaSetAvailable", ago: 10 }), undefined],
  ["one that was done and broke later", deployment([3, 3, 1, 1], { reason: "NewReplicaSetAvailable", ago: 9000 }), undefined],
  ["one without a deadline", deployment([3, 2, 1, 1], updated, 2 ** 31 - 1), undefined],
] as const) {
  test(`when to look again at ${title}`, () => assert.equal(progressCheckInMs(of, nowMs), expected));
}

test("an equal condition changes nothing; another reason keeps lastTransitionTime", () => {
  const first = newDeploymentCondition(nowMs, { type: "Available", status: "True", reason: "A", message: "a" });
  const conditions = [first];
  assert.equal(
    setDeploymentCondition(
      conditions,
      newDeploymentCondition(nowMs + 9000, { type: "Available", status: "True", reason: "A", message: "b" }),
    ),
    conditions,
  );
  const [other] = setDeploymentCondition(
    conditions,
    newDeploymentCondition(nowMs + 9000, { type: "Available", status: "True", reason: "B", message: "b" }),
  );
  assert.deepEqual([other?.lastTransitionTime, other?.lastUpdateTime], [seconds(0), seconds(-9)]);
  const [changed] = setDeploymentCondition(
    conditions,
    newDeploymentCondition(nowMs + 9000, { type: "Available", status: "False", reason: "B", message: "b" }),
  );
  assert.equal(changed?.lastTransitionTime, seconds(-9));
});
