import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "../../../core/object/index.ts";
import { FailedPodsBackoff } from "./failed-pods-backoff.ts";

const set = (observedGeneration: number): KubeObject => ({
  apiVersion: "apps/v1",
  kind: "DaemonSet",
  metadata: { name: "agent", uid: "u" },
  status: { observedGeneration },
});

// 1 s, doubled each time, 15 minutes at most: the failedPodsBackoff of pkg/controller/daemon (cmd/kube-controller-manager apps.go).
test("each replacement of a failed Pod waits twice as long as the one before", () => {
  const failed = new FailedPodsBackoff();
  let nowMs = 0;
  const waits: number[] = [];
  for (let round = 0; round < 13; round++) {
    const waitMs = failed.remainingMs(set(1), "n1", nowMs);
    waits.push(waitMs / 1000);
    nowMs += waitMs;
    failed.next(set(1), "n1", nowMs);
  }
  assert.deepEqual(waits, [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
  assert.equal(failed.remainingMs(set(1), "n2", nowMs), 0, "another node");
  assert.equal(failed.remainingMs(set(2), "n1", nowMs), 0, "another generation");
  assert.equal(failed.remainingMs(set(1), "n1", nowMs + 300_000), 600_000);
});

test("after a long time without failures it begins anew", () => {
  const failed = new FailedPodsBackoff();
  failed.next(set(1), "n1", 0);
  failed.next(set(1), "n1", 1000);
  const later = 1000 + 2 * 900_000 + 1;
  failed.next(set(1), "n1", later);
  assert.equal(failed.remainingMs(set(1), "n1", later), 1000);
});
