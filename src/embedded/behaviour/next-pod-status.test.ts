import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultBehaviour } from "./behaviour.ts";
import { runPod, podWith, behaviourOf, podStartMs } from "../../../test/support/embedded/run-pod.ts";
import { nextPodStatus } from "./next-pod-status.ts";
import type { PodStatus } from "./pod.ts";

const probe = { httpGet: { port: 80 }, periodSeconds: 10, initialDelaySeconds: 5, successThreshold: 1, failureThreshold: 3 };
const condition = (type: string, time: string) => ({
  type,
  observedGeneration: 1,
  status: "True",
  lastProbeTime: null,
  lastTransitionTime: `2030-01-01T00:00:0${time}Z`,
});

const conditionOf = (status: PodStatus, type: string) => {
  const found = status.conditions?.find((item) => item.type === type);
  return [found?.status, found?.reason, found?.message];
};

function firstWake(seed: number, name: string): number {
  const pod = podWith({}, { name });
  const first = nextPodStatus({ pod, behaviour: defaultBehaviour, now: podStartMs, seed, hostIP: "10.0.0.1", podIP: () => "10.244.0.5" });
  return first.againInMs ?? 0;
}

const stories: Record<string, { spec?: object; rule?: object; options?: object; expected: string[] }> = {
  "a start": {
    expected: [
      'Normal Pulling: Pulling image "app:1"',
      /Normal Pulled: Successfully pulled image "app:1" in 1s \(1s including waiting\)\. Image size: \d+ bytes\./.source,
      "Normal Created: Container created",
      "Normal Started: Container started",
    ],
  },
  "a missing image": {
    spec: { containers: [{ name: "c", image: "nginx:missing" }] },
    rule: { match: { image: "other" } },
    options: { until: 5000 },
    expected: [
      'Normal Pulling: Pulling image "nginx:missing"',
      'Warning Failed: Failed to pull image "nginx:missing": rpc error: code = NotFound desc = failed to pull and unpack image "docker.io/library/nginx:missing": failed to resolve reference "docker.io/library/nginx:missing": docker.io/library/nginx:missing: not found',
      "Warning Failed: Error: ErrImagePull",
      'Normal BackOff: Back-off pulling image "nginx:missing"',
      "Warning Failed: Error: ImagePullBackOff",
    ],
  },
  "a crash loop": {
    rule: { fail: { at: "1s" } },
    options: { until: 6000 },
    expected: [
      'Normal Pulling: Pulling image "app:1"',
      "Pulled",
      "Normal Created: Container created",
      "Normal Started: Container started",
      'Normal Pulled: Container image "app:1" already present on machine and can be accessed by the pod',
      "Normal Created: Container created",
      "Normal Started: Container started",
      "Warning BackOff: Back-off restarting failed container c in pod web_default(u1)",
    ],
  },
  "a liveness failure": {
    spec: {
      containers: [
        { name: "c", image: "app:1", imagePullPolicy: "Never", livenessProbe: { ...probe, initialDelaySeconds: 0, periodSeconds: 1 } },
      ],
    },
    rule: { liveness: { failAfter: "2s" } },
    options: { until: 4500 },
    expected: [
      "Pulled",
      "Created",
      "Started",
      "Warning Unhealthy: Liveness probe failed: HTTP probe failed with statuscode: 503",
      "Normal Killing: Container c failed liveness probe, will be restarted",
    ],
  },
  "an end": {
    spec: { containers: [{ name: "c", image: "app:1", imagePullPolicy: "Never" }] },
    options: { deleteAt: 5000 },
    expected: ["Pulled", "Created", "Started", "Normal Killing: Stopping container c"],
  },
};

for (const [name, { spec = {}, rule = {}, options = {}, expected }] of Object.entries(stories)) {
  test(`events of ${name}`, () => {
    const { events } = runPod(podWith(spec), { behaviour: behaviourOf(rule), ...options });
    const messages = events.map(({ type, reason, message }) => `${type} ${reason}: ${message}`);
    assert.equal(messages.length, expected.length, messages.join("\n"));
    for (const [index, line] of messages.entries()) {
      const wanted = expected[index]!;
      assert.ok(line.includes(wanted) || new RegExp(wanted).test(line), `${line}\nis not\n${wanted}`);
    }
    for (const { container } of events) assert.equal(container, "spec.containers{c}");
  });
}

test("the status of a ready pod is the kubelet's, field for field", () => {
  const pod = podWith({
    containers: [
      {
        name: "c",
        image: "nginx:1.27",
        resources: { requests: { cpu: "1" } },
        volumeMounts: [{ name: "v", mountPath: "/v", readOnly: true }],
      },
    ],
  });
  const { last } = runPod({ ...pod, status: { phase: "Pending", qosClass: "Burstable" } });
  const [status] = last.containerStatuses ?? [];
  assert.match(status?.containerID ?? "", /^containerd:\/\/[0-9a-f]{64}$/);
  assert.match(status?.imageID ?? "", /^docker\.io\/library\/nginx@sha256:[0-9a-f]{64}$/);
  assert.deepEqual(last, {
    qosClass: "Burstable",
    observedGeneration: 1,
    phase: "Running",
    conditions: [
      condition("PodReadyToStartContainers", "1"),
      condition("Initialized", "0"),
      condition("Ready", "1"),
      condition("ContainersReady", "1"),
      condition("PodScheduled", "0"),
    ],
    hostIP: "10.0.0.1",
    hostIPs: [{ ip: "10.0.0.1" }],
    podIP: "10.244.0.5",
    podIPs: [{ ip: "10.244.0.5" }],
    startTime: "2030-01-01T00:00:00Z",
    containerStatuses: [
      {
        name: "c",
        state: { running: { startedAt: "2030-01-01T00:00:01Z" } },
        lastState: {},
        ready: true,
        restartCount: 0,
        image: "docker.io/library/nginx:1.27",
        imageID: status?.imageID,
        containerID: status?.containerID,
        started: true,
        resources: { requests: { cpu: "1" } },
        allocatedResources: { cpu: "1" },
        volumeMounts: [{ name: "v", mountPath: "/v", readOnly: true, recursiveReadOnly: "Disabled" }],
      },
    ],
  });
});

test("conditions name the containers that are not ready", () => {
  const waiting = runPod(
    podWith({
      initContainers: [
        { name: "a", image: "init:1" },
        { name: "b", image: "init:1" },
      ],
    }),
    { until: 500 },
  ).last;
  assert.deepEqual(conditionOf(waiting, "Initialized"), ["False", "ContainersNotInitialized", "containers with incomplete status: [a b]"]);
  assert.deepEqual(conditionOf(waiting, "Ready"), ["False", "ContainersNotReady", "containers with unready status: [c]"]);
  const gated = runPod(podWith({ readinessGates: [{ conditionType: "example.com/lb" }] })).last;
  assert.deepEqual(conditionOf(gated, "ContainersReady"), ["True", undefined, undefined]);
  const gate = 'corresponding condition of pod readiness gate "example.com/lb" does not exist.';
  assert.deepEqual(conditionOf(gated, "Ready"), ["False", "ReadinessGatesNotReady", gate]);
  const done = runPod(podWith({ restartPolicy: "Never" })).last;
  assert.deepEqual(conditionOf(done, "Initialized"), ["True", "PodCompleted", undefined]);
  assert.deepEqual(conditionOf(done, "Ready"), ["False", "PodCompleted", undefined]);
  assert.deepEqual(conditionOf(done, "PodReadyToStartContainers"), ["False", undefined, undefined]);
  const late = runPod(podWith({ activeDeadlineSeconds: 3 })).last;
  assert.deepEqual(
    [late.phase, late.reason, late.message],
    ["Failed", "DeadlineExceeded", "Pod was active on the node longer than the specified deadline"],
  );
});

test("the message of a back-off contains its duration", () => {
  const { last } = runPod(podWith({}), { behaviour: behaviourOf({ fail: { at: "1s" } }), until: 6000 });
  assert.deepEqual(last.containerStatuses?.[0]?.state.waiting, {
    reason: "CrashLoopBackOff",
    message: "back-off 10s restarting failed container=c pod=web_default(u1)",
  });
});

test("the same seed gives the same statuses, another seed gives others", () => {
  const at = firstWake;
  assert.equal(at(7, "a"), at(7, "a"));
  assert.notEqual(at(7, "a"), at(8, "a"));
  assert.notEqual(at(7, "a"), at(7, "b"));
  for (let seed = 0; seed < 50; seed++) assert.ok(at(seed, "a") >= 700 && at(seed, "a") <= 2200);
});

test("an invalid override is recorded as an event, and the pod runs", () => {
  const pod = podWith({}, { annotations: { "sim.sluice.dev/exit-code": "many", "sim.sluice.dev/colour": "red" } });
  const { events } = runPod(pod, { until: 1000 });
  const messages = events.filter(({ reason }) => reason === "InvalidBehaviour").map(({ message }) => message);
  assert.equal(messages.length, 2);
  assert.match(messages.join("\n"), /sim\.sluice\.dev\/colour: unknown; known: pull, /);
  assert.match(messages.join("\n"), /sim\.sluice\.dev\/exit-code\.exitCode: found "many", expected a whole number/);
});
