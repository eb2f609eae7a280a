import assert from "node:assert/strict";
import test from "node:test";
import { failingContainersOf } from "./index.ts";

const dead = { terminated: { exitCode: 1 } };
const cases: readonly (readonly [string, object, boolean | undefined])[] = [
  ["ended badly", { state: dead }, false],
  ["ended well", { state: { terminated: { exitCode: 0 } } }, undefined],
  ["crashes", { state: { waiting: { reason: "CrashLoopBackOff" } }, lastState: dead }, true],
  ["cannot pull its image", { state: { waiting: { reason: "ErrImagePull" } } }, undefined],
  ["is not ready", { state: { running: {} }, ready: false }, false],
  ["is not ready after a crash", { state: { running: {} }, ready: false, lastState: dead }, true],
  ["is ready after a crash", { state: { running: {} }, ready: true, lastState: dead }, undefined],
];

for (const [what, status, previous] of cases) {
  test(`a container that ${what}`, () => {
    const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, status: { containerStatuses: [{ name: "c", ...status }] } };
    assert.deepEqual(failingContainersOf(pod), previous === undefined ? [] : [{ container: "c", previous }]);
  });
}
