import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "../../../core/object/index.ts";
import { backoffRecordAfter, finishedMs, emptyBackoffRecord, backoffRemainingMs } from "./backoff-record.ts";

const base = Date.UTC(2009, 10, 10, 23);
const at = (ms: number) => new Date(base + ms).toISOString();

function ended(ms: number): KubeObject {
  const status = { containerStatuses: [{ name: "c", state: { terminated: { finishedAt: at(ms) } } }] };
  return { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, status };
}

// TestNewBackoffRecord in pkg/controller/job/backoff_utils_test.go; times are milliseconds from a fixed one.
for (const [title, before, succeeded, failed, count, lastMs] of [
  ["one failure", 0, [], [0], 1, 0],
  ["two failures", 0, [], [0, -1], 2, 0],
  ["two failures, then a success", 0, [0], [-2, -1], 0, undefined],
  ["a success between failures", 0, [-2], [0, -4, -3, -1], 2, 0],
  ["one more failure", 2, [], [0], 3, 0],
  ["a failure at the moment of a success", 0, [0], [0], 0, undefined],
  ["nothing", 0, [], [], 0, undefined],
  ["a success", 0, [0], [], 0, undefined],
] as const) {
  test(`failures in a row: ${title}`, () => {
    const after = backoffRecordAfter({ count: before, lastMs: 0 }, succeeded.map(ended), failed.map(ended));
    assert.equal(after.count, count);
    if (lastMs !== undefined) assert.equal(after.lastMs, base + lastMs);
  });
}

// 10 s, doubled for each failure, 10 minutes at most: DefaultJobPodFailureBackOff and MaxJobPodFailureBackOff of 1.35.
for (const [count, afterMs, expected] of [
  [0, 0, 0],
  [1, 0, 10_000],
  [1, 4_000, 6_000],
  [1, 20_000, 0],
  [2, 0, 20_000],
  [3, 0, 40_000],
  [6, 0, 320_000],
  [7, 0, 600_000],
  [50, 0, 600_000],
] as const) {
  test(`${afterMs} ms after failure ${count}, ${expected} ms are left`, () => {
    assert.equal(backoffRemainingMs({ count, lastMs: base }, base + afterMs), expected);
  });
}

test("no failure, no wait", () => assert.equal(backoffRemainingMs(emptyBackoffRecord, base), 0));

// TestGetFinishedTime in the same file
const pod = (fields: object): KubeObject => ({ apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, ...fields });
const terminated = (ms: number) => ({ state: { terminated: { finishedAt: at(ms) } } });
for (const [title, one, expected] of [
  ["the last of its containers", pod({ status: { containerStatuses: [terminated(-1000), terminated(0), terminated(-2000)] } }), 0],
  [
    "a sidecar counts, another init container does not",
    pod({
      spec: { initContainers: [{ name: "setup" }, { name: "proxy", restartPolicy: "Always" }] },
      status: {
        containerStatuses: [terminated(-3000)],
        initContainerStatuses: [
          { name: "setup", ...terminated(9000) },
          { name: "proxy", ...terminated(0) },
        ],
      },
    }),
    0,
  ],
  [
    "a container still runs: by the Ready condition",
    pod({
      status: {
        containerStatuses: [terminated(-1000), { state: { running: {} } }],
        conditions: [{ type: "Ready", status: "False", lastTransitionTime: at(0) }],
      },
    }),
    0,
  ],
  [
    "deleted: when the deletion was asked for",
    pod({ metadata: { name: "p", deletionTimestamp: at(0), deletionGracePeriodSeconds: 30 } }),
    -30_000,
  ],
  ["nothing known: when it was made", pod({ metadata: { name: "p", creationTimestamp: at(0) } }), 0],
] as const) {
  test(`when a Pod ended: ${title}`, () => assert.equal(finishedMs(one), base + expected));
}
