import assert from "node:assert/strict";
import test from "node:test";
import type { KubeObject } from "../core/object/index.ts";
import { assess, explainByPods, progressingBecause, failedBecause, ready, podIssueOf, type Health } from "./index.ts";

type Parts = {
  readonly phase?: string;
  readonly spec?: object;
  readonly status?: object;
  readonly labels?: Record<string, string>;
  readonly image?: string;
  readonly name?: string;
};

function pod({ phase = "Pending", spec = {}, status = {}, labels = {}, image = "app:1", name = "web-1" }: Parts): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, labels },
    spec: { containers: [{ name: "app", image }], ...spec },
    status: { phase, ...status },
  };
}

function container(state: object, more: object = {}): object {
  return { containerStatuses: [{ name: "app", ready: false, restartCount: 0, state, ...more }] };
}

const waiting = (reason: string, message?: string) => ({ waiting: { reason, message } });
const crashed = (restartCount: number, terminated: object = { exitCode: 3, reason: "Error" }) =>
  container(waiting("CrashLoopBackOff"), { restartCount, lastState: { terminated } });
const probed = {
  containers: [
    {
      name: "app",
      image: "app:1",
      readinessProbe: { httpGet: { port: 8080, path: "/healthz" } },
      startupProbe: { tcpSocket: { port: "web" } },
    },
  ],
};
const running = { running: { startedAt: "2024-01-01T00:00:00Z" } };
const unready = {
  conditions: [{ type: "Ready", status: "False", reason: "ContainersNotReady", message: "containers with unready status: [app]" }],
};

const unscheduled = { type: "PodScheduled", status: "False", reason: "Unschedulable", message: "no room" };

const pods: readonly (readonly [what: string, parts: Parts, expect: string])[] = [
  ["is new", {}, "progressing: its containers have not started yet"],
  ["is ready", { phase: "Running", status: { conditions: [{ type: "Ready", status: "True" }] } }, "ready"],
  [
    "runs to its end",
    { phase: "Running", spec: { restartPolicy: "Never" }, status: { conditions: [{ type: "Ready", status: "True" }] } },
    "progressing: running to its end",
  ],
  ["has succeeded", { phase: "Succeeded" }, "ready"],
  [
    "was evicted",
    { phase: "Failed", status: { reason: "Evicted", message: "the node was low on memory" } },
    "failed: pod web-1 failed: Evicted: the node was low on memory",
  ],
  [
    "cannot be scheduled",
    { status: { conditions: [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message: "0/3 nodes are available" }] } },
    "failed: pod web-1 cannot be scheduled: 0/3 nodes are available",
  ],
  ...["pod has unbound immediate PersistentVolumeClaims", 'persistentvolumeclaim "data-0" not found'].map(
    (message): (typeof pods)[number] => [
      `waits for its volume: ${message}`,
      { status: { conditions: [{ ...unscheduled, message }] } },
      `progressing: pod web-1 cannot be scheduled: ${message}`,
    ],
  ),
  [
    "others make way for",
    { status: { nominatedNodeName: "a", conditions: [unscheduled] } },
    "progressing: pod web-1 cannot be scheduled: no room",
  ],
  [
    "is gated",
    { status: { conditions: [{ type: "PodScheduled", status: "False", reason: "SchedulingGated" }] } },
    "progressing: pod web-1 is held back by its scheduling gates",
  ],
  [
    "cannot pull its image",
    { status: container(waiting("ImagePullBackOff", 'Back-off pulling image "app:1"')) },
    'failed: pod web-1: container app: ImagePullBackOff: Back-off pulling image "app:1"',
  ],
  [
    "lacks a ConfigMap",
    { status: container(waiting("CreateContainerConfigError", 'configmap "x" not found')) },
    'failed: pod web-1: container app: CreateContainerConfigError: configmap "x" not found',
  ],
  ["is being created", { status: container(waiting("ContainerCreating")) }, "progressing: its containers have not started yet"],
  ["has crashed once", { phase: "Running", status: crashed(1) }, "progressing: pod web-1: container app crashes (exit code 3, 1 restart)"],
  ["keeps crashing", { phase: "Running", status: crashed(3) }, "failed: pod web-1: container app crashes (exit code 3, 3 restarts)"],
  [
    "runs out of memory",
    { phase: "Running", status: crashed(5, { exitCode: 137, reason: "OOMKilled" }) },
    "failed: pod web-1: container app crashes (OOMKilled, exit code 137, 5 restarts)",
  ],
  [
    "may crash as often as it likes",
    { phase: "Running", spec: { restartPolicy: "OnFailure" }, status: crashed(9) },
    "progressing: pod web-1: container app crashes (exit code 3, 9 restarts)",
  ],
  [
    "has just ended",
    { phase: "Running", status: container({ terminated: { exitCode: 1 } }) },
    "progressing: pod web-1: container app ended with exit code 1",
  ],
  [
    "fails its readiness probe",
    { phase: "Running", spec: probed, status: container(running, { started: true }) },
    "progressing: pod web-1: container app is running but not ready: waits for its readiness probe (GET :8080/healthz)",
  ],
  [
    "fails its startup probe",
    { phase: "Running", spec: probed, status: container(running, { started: false }) },
    "progressing: pod web-1: container app is running but not ready: waits for its startup probe (TCP :web)",
  ],
  [
    "is up again",
    { phase: "Running", status: container(running, { restartCount: 2, lastState: { terminated: { exitCode: 2 } } }) },
    "progressing: pod web-1: container app is running but not ready after 2 restarts (exit code 2)",
  ],
  ["says only that it is not ready", { phase: "Running", status: unready }, "progressing: containers with unready status: [app]"],
  [
    "cannot get past its init container",
    {
      status: {
        initContainerStatuses: [
          { name: "wait", ready: false, restartCount: 4, state: waiting("CrashLoopBackOff"), lastState: { terminated: { exitCode: 1 } } },
        ],
      },
    },
    "failed: pod web-1: init container wait crashes (exit code 1, 4 restarts)",
  ],
  [
    "waits for a readiness gate",
    {
      phase: "Running",
      status: {
        conditions: [
          {
            type: "Ready",
            status: "False",
            reason: "ReadinessGatesNotReady",
            message: 'corresponding condition of pod readiness gate "x" does not exist.',
          },
        ],
      },
    },
    'progressing: pod web-1: corresponding condition of pod readiness gate "x" does not exist.',
  ],
];

function textOf(health: Health): string {
  return health.state === "ready" ? health.state : `${health.state}: ${health.because}`;
}

for (const [what, parts, expect] of pods) {
  test(`a pod that ${what} is ${expect.split(":")[0]}`, () => assert.equal(textOf(assess(pod(parts), { hasStatus: true })), expect));
}

const template = {
  metadata: { labels: { app: "web" } },
  spec: { containers: [{ name: "app", image: "app:1", env: [{ name: "A", value: "1" }] }] },
};
const deployment: KubeObject = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" }, spec: { template } };
const current = {
  labels: { app: "web" },
  spec: {
    containers: [
      {
        name: "app",
        image: "app:1",
        env: [
          { name: "A", value: "1" },
          { name: "INJECTED", value: "x" },
        ],
      },
    ],
  },
};
const broken = container(waiting("ErrImagePull", "no such image"));
const few = progressingBecause("0 of 1 replicas available");

test("a ready workload needs no explanation", () =>
  assert.equal(explainByPods(ready, deployment, [pod({ ...current, status: broken })]), ready));

test("a workload without pod issues keeps its health", () => assert.equal(explainByPods(few, deployment, [pod(current)]), few));

test("what waiting does not mend makes a workload failed", () => {
  const expected = failedBecause("0 of 1 replicas available; pod web-1: container app: ErrImagePull: no such image");
  assert.deepEqual(explainByPods(few, deployment, [pod(current), pod({ ...current, status: broken })]), expected);
});

test("an issue that may pass is reported", () => {
  const down = pod({ ...current, status: container({ terminated: { exitCode: 1 } }) });
  const expected = progressingBecause("0 of 1 replicas available; pod web-1: container app ended with exit code 1");
  assert.deepEqual(explainByPods(few, deployment, [down]), expected);
});

test("the worst issue is reported first", () => {
  const pending = pod({ ...current, status: container({ terminated: { exitCode: 1 } }) });
  const worst = explainByPods(few, deployment, [pending, pod({ ...current, name: "web-2", status: broken })]);
  assert.deepEqual(worst, failedBecause("0 of 1 replicas available; pod web-2: container app: ErrImagePull: no such image"));
});

test("a broken pod of an older template does not fail the rollout that replaces it", () => {
  const expected = progressingBecause(
    "0 of 1 replicas available; pod web-1: container app: ErrImagePull: no such image (not of the current template)",
  );
  const otherImage = pod({ labels: { app: "web" }, image: "app:0", status: broken });
  const otherEnvironment = pod({ labels: { app: "web" }, status: broken });
  for (const old of [otherImage, otherEnvironment]) assert.deepEqual(explainByPods(few, deployment, [old]), expected);
});

test("a StatefulSet names the revision of its template", () => {
  const set: KubeObject = {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { name: "db" },
    spec: { template },
    status: { updateRevision: "db-2" },
  };
  const states = ["db-1", "db-2"].map(
    (hash) => explainByPods(few, set, [pod({ labels: { "controller-revision-hash": hash }, status: broken })]).state,
  );
  assert.deepEqual(states, ["progressing", "failed"]);
});

test("pods on their way out explain nothing", () => {
  const leaving = pod({ ...current, status: broken });
  const gone = { ...leaving, metadata: { ...leaving.metadata, deletionTimestamp: "2024-01-01T00:00:00Z" } };
  assert.equal(explainByPods(few, deployment, [gone]), few);
});

test("a Job whose image cannot be pulled would wait for ever", () => {
  const job: KubeObject = { apiVersion: "batch/v1", kind: "Job", metadata: { name: "migrate" }, spec: { template } };
  assert.equal(explainByPods(progressingBecause("0 of 1 completions"), job, [pod({ ...current, status: broken })]).state, "failed");
});

test("a failed Job reports the issue of its pod", () => {
  const job: KubeObject = { apiVersion: "batch/v1", kind: "Job", metadata: { name: "migrate" }, spec: { template } };
  const dead = pod({ ...current, phase: "Failed", status: container({ terminated: { exitCode: 4 } }) });
  assert.deepEqual(
    explainByPods(failedBecause("BackoffLimitExceeded"), job, [dead]),
    failedBecause("BackoffLimitExceeded; pod web-1: container app ended with exit code 4"),
  );
});

test("a healthy pod has no issue", () =>
  assert.equal(podIssueOf(pod({ phase: "Running", status: container(running, { ready: true }) })), undefined));
