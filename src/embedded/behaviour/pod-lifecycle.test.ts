import assert from "node:assert/strict";
import { test } from "node:test";
import { runPod, podWith, behaviourOf } from "../../../test/support/embedded/run-pod.ts";

const probe = { httpGet: { port: 80 }, periodSeconds: 10, initialDelaySeconds: 5, successThreshold: 1, failureThreshold: 3 };
const withProbe = { containers: [{ name: "c", image: "app:1", readinessProbe: probe }] };

const lives: Record<string, { spec?: object; metadata?: object; rule?: object; options?: object; expected: string[] }> = {
  "a plain container is ready when it runs": {
    expected: ["0 Pending: ContainerCreating", "1 Running ready: running+"],
  },
  "a readiness probe is asked at its ticks": {
    spec: withProbe,
    rule: { ready: "7s" },
    expected: ["0 Pending: ContainerCreating", "1 Running: running", "16 Running ready: running+"],
  },
  "a probe that passes at once waits for its initial delay": {
    spec: withProbe,
    expected: ["0 Pending: ContainerCreating", "1 Running: running", "6 Running ready: running+"],
  },
  "never ready": {
    rule: { ready: "never" },
    expected: ["0 Pending: ContainerCreating", "1 Running: running"],
  },
  "a Job's container completes": {
    spec: { restartPolicy: "Never" },
    expected: ["0 Pending: ContainerCreating", "1 Running ready: running+", "3 Succeeded: Completed(0)"],
  },
  "a Job's container fails on the first attempt": {
    spec: { restartPolicy: "Never" },
    rule: { run: "4s", result: { succeedAfterAttempts: 1 } },
    expected: ["0 Pending: ContainerCreating", "1 Running ready: running+", "5 Failed: Error(1)"],
  },
  "and succeeds on the second": {
    spec: { restartPolicy: "Never" },
    rule: { run: "4s", result: { succeedAfterAttempts: 1 } },
    options: { attempt: 1 },
    expected: ["0 Pending: ContainerCreating", "1 Running ready: running+", "5 Succeeded: Completed(0)"],
  },
  "OnFailure restarts in place until it succeeds": {
    spec: { restartPolicy: "OnFailure" },
    rule: { fail: { at: "1s", times: 1 } },
    expected: [
      "0 Pending: ContainerCreating",
      "1 Running ready: running+",
      "2 Running: Error(1)",
      "3 Running ready: runningx1+",
      "5 Succeeded: Completed(0)x1",
    ],
  },
  "a crash loop waits twice as long each time": {
    rule: { fail: { at: "1s", exitCode: 2 } },
    expected: [
      "0 Pending: ContainerCreating",
      "1 Running ready: running+",
      "2 Running: Error(2)",
      "3 Running ready: runningx1+",
      "4 Running: Error(2)x1",
      "5 Running: CrashLoopBackOffx1",
      "14 Running ready: runningx2+",
      "15 Running: Error(2)x2",
      "16 Running: CrashLoopBackOffx2",
      "35 Running ready: runningx3+",
      "36 Running: Error(2)x3",
      "37 Running: CrashLoopBackOffx3",
    ],
  },
  "a container that ran for long starts with a clean record": {
    rule: { fail: { at: "11m", exitCode: 1 } },
    options: { until: 3_000_000 },
    expected: [
      "0 Pending: ContainerCreating",
      "1 Running ready: running+",
      "661 Running: Error(1)",
      "662 Running ready: runningx1+",
      "1322 Running: Error(1)x1",
      "1323 Running ready: runningx2+",
      "1983 Running: Error(1)x2",
      "1984 Running ready: runningx3+",
      "2644 Running: Error(1)x3",
      "2645 Running ready: runningx4+",
    ],
  },
  "out of memory": {
    spec: { restartPolicy: "Never" },
    rule: { fail: { at: "1s", reason: "OOMKilled" } },
    expected: ["0 Pending: ContainerCreating", "1 Running ready: running+", "2 Failed: OOMKilled(137)"],
  },
  "an image that is missing": {
    spec: { containers: [{ name: "c", image: "nginx:missing" }] },
    rule: { pull: { after: "1s", fail: true } },
    options: { until: 40_000 },
    expected: [
      "0 Pending: ContainerCreating",
      "1 Pending: ErrImagePull",
      "2 Pending: ImagePullBackOff",
      "12 Pending: ErrImagePull",
      "13 Pending: ImagePullBackOff",
      "33 Pending: ErrImagePull",
      "34 Pending: ImagePullBackOff",
    ],
  },
  "an image that can be pulled at the second try": {
    rule: { pull: { after: "1s", fail: true, times: 1 } },
    expected: ["0 Pending: ContainerCreating", "1 Pending: ErrImagePull", "2 Pending: ImagePullBackOff", "12 Running ready: running+"],
  },
  "init containers run in order": {
    spec: {
      initContainers: [
        { name: "a", image: "init:1" },
        { name: "b", image: "init:1" },
      ],
    },
    expected: [
      "0 Pending: PodInitializing, PodInitializing, PodInitializing",
      "1 Pending: running, PodInitializing, PodInitializing",
      "2 Pending: Completed(0), PodInitializing, PodInitializing",
      "3 Pending: Completed(0), running, PodInitializing",
      "4 Pending: Completed(0), Completed(0), PodInitializing",
      "5 Running ready: Completed(0), Completed(0), running+",
    ],
  },
  "an init container that fails ends a pod that is not restarted": {
    spec: { restartPolicy: "Never", initContainers: [{ name: "a", image: "init:1", command: ["sh", "-c", "exit 3"] }] },
    expected: ["0 Pending: PodInitializing, PodInitializing", "1 Failed: Error(3), PodInitializing"],
  },
  "a sidecar starts before the work and ends after it": {
    spec: { restartPolicy: "Never", initContainers: [{ name: "s", image: "side:1", restartPolicy: "Always" }] },
    expected: [
      "0 Pending: PodInitializing, PodInitializing",
      "1 Pending: running+, PodInitializing",
      "2 Running ready: running+, running+",
      "4 Running: running+, Completed(0)",
      "6 Succeeded: Completed(0), Completed(0)",
    ],
  },
  "a startup probe holds readiness back": {
    spec: {
      containers: [
        { name: "c", image: "app:1", startupProbe: { periodSeconds: 5, failureThreshold: 30 }, readinessProbe: { periodSeconds: 5 } },
      ],
    },
    rule: { startup: "12s" },
    expected: ["0 Pending: ContainerCreating", "1 Running: running", "16 Running ready: running+"],
  },
  "a startup probe that never passes kills the container": {
    spec: { containers: [{ name: "c", image: "app:1", startupProbe: { periodSeconds: 5, failureThreshold: 2 } }] },
    rule: { startup: "never" },
    options: { until: 9_000 },
    expected: ["0 Pending: ContainerCreating", "1 Running: running", "6 Running: Error(137)", "7 Running: runningx1"],
  },
  "a liveness probe that fails once": {
    spec: { containers: [{ name: "c", image: "app:1", livenessProbe: { periodSeconds: 5, failureThreshold: 3 } }] },
    rule: { liveness: { failAfter: "8s", times: 1 } },
    expected: ["0 Pending: ContainerCreating", "1 Running ready: running+", "21 Running: Error(137)", "22 Running ready: runningx1+"],
  },
  "a deadline fails the pod": {
    spec: { activeDeadlineSeconds: 10 },
    expected: ["0 Pending: ContainerCreating", "1 Running ready: running+", "12 Failed: Completed(0)"],
  },
  "a deleted pod terminates, then is removed": {
    options: { deleteAt: 5000 },
    expected: ["0 Pending: ContainerCreating", "1 Running ready: running+", "7 Succeeded: Completed(0)", "7 gone"],
  },
  "a deleted pod that does not stop is killed": {
    rule: { terminate: "5m" },
    options: { deleteAt: 5000 },
    expected: ["0 Pending: ContainerCreating", "1 Running ready: running+", "35 Failed: Error(137)", "35 gone"],
  },
  "a pod deleted before it ran": {
    options: { deleteAt: 500 },
    expected: ["0 Pending: ContainerCreating", "0.5 Failed: ContainerStatusUnknown(137)", "0.5 gone"],
  },
  "a command determines its exit": {
    spec: { restartPolicy: "Never", containers: [{ name: "c", image: "busybox", command: ["sh", "-c", "echo hi; sleep 4; exit 7"] }] },
    rule: {},
    expected: ["0 Pending: ContainerCreating", "1 Running ready: running+", "5 Failed: Error(7)"],
  },
  "an annotation overrides a rule": {
    metadata: { annotations: { "sim.sluice.dev/ready-after": "3s" } },
    rule: { ready: "30s" },
    expected: ["0 Pending: ContainerCreating", "1 Running: running", "4 Running ready: running+"],
  },
  "an annotation makes the container fail": {
    spec: { restartPolicy: "Never" },
    metadata: { annotations: { "sim.sluice.dev/exit-code": "4", "sim.sluice.dev/exit-after": "5s" } },
    expected: ["0 Pending: ContainerCreating", "1 Running ready: running+", "6 Failed: Error(4)"],
  },
};

for (const [name, { spec = {}, metadata = {}, rule = {}, options = {}, expected }] of Object.entries(lives)) {
  test(name, () => {
    const run = runPod(podWith(spec, metadata), { behaviour: behaviourOf(rule), ...options });
    assert.deepEqual(run.lines, expected);
  });
  test(`${name}: also without memory`, () => {
    // Every time but that of a deletion is a whole second, so the status alone gives the same lines.
    const run = runPod(podWith(spec, metadata), { behaviour: behaviourOf(rule), ...options, forgetful: true });
    if (!name.includes("clean record")) assert.deepEqual(run.lines, expected);
  });
}
