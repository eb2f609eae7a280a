import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultBehaviour } from "./behaviour.ts";
import { nextStatus, type NextStatusInput } from "./next-status.ts";
import { parseBehaviour } from "./parse.ts";
import { podOf, type ContainerStatus, type Pod, type PodStatus } from "./pod.ts";
import type { Memory, PodEvent } from "./turn.ts";

const start = Date.UTC(2030, 0, 1);

function podWith(spec: object, metadata: object = {}): Pod {
  const base = { name: "web", namespace: "default", uid: "u1", generation: 1 };
  const defaults = { nodeName: "node-1", restartPolicy: "Always", containers: [{ name: "c", image: "app:1" }] };
  return podOf({ apiVersion: "v1", kind: "Pod", metadata: { ...base, ...metadata }, spec: { ...defaults, ...spec } });
}

/** Rules with every duration settled, so that moments can be told in whole numbers. */
const steady = { match: {}, pull: "1s", start: 0, init: "1s", terminate: "2s" };

function rulesOf(...rules: object[]) {
  const { behaviour, problems } = parseBehaviour(rules.map((rule) => ({ ...steady, ...rule })));
  assert.deepEqual(problems, []);
  return behaviour;
}

/** Lives a pod's life as a kubelet does, and tells it: one line for each status that differs from the one before. */
function live(
  pod: Pod,
  { behaviour = rulesOf({}), until = 60_000, deleteAt = Infinity, forgetful = false, attempt = 0 } = {},
): { lines: string[]; events: PodEvent[]; last: PodStatus; gone: boolean } {
  let current = pod;
  let memory: Memory | undefined;
  let now = start;
  const lines: string[] = [];
  const events: PodEvent[] = [];
  for (;;) {
    if (now >= start + deleteAt && current.metadata.deletionTimestamp === undefined) {
      const deletionTimestamp = new Date(now + 30_000).toISOString().replace(".000", "");
      current = { ...current, metadata: { ...current.metadata, deletionTimestamp, deletionGracePeriodSeconds: 30 } };
    }
    const input: NextStatusInput = {
      pod: current,
      behaviour,
      now,
      seed: 1,
      memory,
      attempt,
      hostIP: "10.0.0.1",
      podIP: () => "10.244.0.5",
    };
    const next = nextStatus(input);
    if (!forgetful) memory = next.memory;
    events.push(...next.events);
    if (next.status !== current.status) lines.push(`${(now - start) / 1000} ${show(next.status)}`);
    current = { ...current, status: next.status };
    if (next.gone) return { lines: [...lines, `${(now - start) / 1000} gone`], events, last: next.status, gone: true };
    const wake = next.againInMs === undefined ? Infinity : now + next.againInMs;
    const at = Math.min(wake, now < start + deleteAt ? start + deleteAt : Infinity);
    if (at > start + until) return { lines, events, last: next.status, gone: false };
    now = at;
  }
}

function show({ phase = "", conditions = [], initContainerStatuses = [], containerStatuses = [] }: PodStatus): string {
  const ready = conditions.find(({ type }) => type === "Ready")?.status === "True" ? " ready" : "";
  return `${phase}${ready}: ${[...initContainerStatuses, ...containerStatuses].map(showContainer).join(", ")}`;
}

function showContainer({ state, restartCount, ready }: ContainerStatus): string {
  const restarts = restartCount > 0 ? `x${restartCount}` : "";
  if (state.running !== undefined) return `running${restarts}${ready ? "+" : ""}`;
  if (state.terminated !== undefined) return `${state.terminated.reason ?? ""}(${state.terminated.exitCode})${restarts}`;
  return `${state.waiting?.reason ?? ""}${restarts}`;
}

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
  "a deleted pod ends, then goes": {
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
  "a command tells its own end": {
    spec: { restartPolicy: "Never", containers: [{ name: "c", image: "busybox", command: ["sh", "-c", "echo hi; sleep 4; exit 7"] }] },
    rule: {},
    expected: ["0 Pending: ContainerCreating", "1 Running ready: running+", "5 Failed: Error(7)"],
  },
  "an annotation says more than a rule": {
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
    const told = live(podWith(spec, metadata), { behaviour: rulesOf(rule), ...options });
    assert.deepEqual(told.lines, expected);
  });
  test(`${name}: also without memory`, () => {
    // Every moment in these lives but a deletion's is a whole second, so the status alone tells the same story.
    const told = live(podWith(spec, metadata), { behaviour: rulesOf(rule), ...options, forgetful: true });
    if (!name.includes("clean record")) assert.deepEqual(told.lines, expected);
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
  const { last } = live({ ...pod, status: { phase: "Pending", qosClass: "Burstable" } });
  const [status] = last.containerStatuses ?? [];
  const condition = (type: string, time: string) => ({
    type,
    observedGeneration: 1,
    status: "True",
    lastProbeTime: null,
    lastTransitionTime: `2030-01-01T00:00:0${time}Z`,
  });
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

test("conditions say what is missing", () => {
  const waiting = live(
    podWith({
      initContainers: [
        { name: "a", image: "init:1" },
        { name: "b", image: "init:1" },
      ],
    }),
    { until: 500 },
  ).last;
  const said = (status: PodStatus, type: string) => {
    const found = status.conditions?.find((item) => item.type === type);
    return [found?.status, found?.reason, found?.message];
  };
  assert.deepEqual(said(waiting, "Initialized"), ["False", "ContainersNotInitialized", "containers with incomplete status: [a b]"]);
  assert.deepEqual(said(waiting, "Ready"), ["False", "ContainersNotReady", "containers with unready status: [c]"]);
  const gated = live(podWith({ readinessGates: [{ conditionType: "example.com/lb" }] })).last;
  assert.deepEqual(said(gated, "ContainersReady"), ["True", undefined, undefined]);
  const gate = 'corresponding condition of pod readiness gate "example.com/lb" does not exist.';
  assert.deepEqual(said(gated, "Ready"), ["False", "ReadinessGatesNotReady", gate]);
  const done = live(podWith({ restartPolicy: "Never" })).last;
  assert.deepEqual(said(done, "Initialized"), ["True", "PodCompleted", undefined]);
  assert.deepEqual(said(done, "Ready"), ["False", "PodCompleted", undefined]);
  assert.deepEqual(said(done, "PodReadyToStartContainers"), ["False", undefined, undefined]);
  const late = live(podWith({ activeDeadlineSeconds: 3 })).last;
  assert.deepEqual(
    [late.phase, late.reason, late.message],
    ["Failed", "DeadlineExceeded", "Pod was active on the node longer than the specified deadline"],
  );
});

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
    const { events } = live(podWith(spec), { behaviour: rulesOf(rule), ...options });
    const told = events.map(({ type, reason, message }) => `${type} ${reason}: ${message}`);
    assert.equal(told.length, expected.length, told.join("\n"));
    for (const [index, line] of told.entries()) {
      const wanted = expected[index]!;
      assert.ok(line.includes(wanted) || new RegExp(wanted).test(line), `${line}\nis not\n${wanted}`);
    }
    for (const { container } of events) assert.equal(container, "spec.containers{c}");
  });
}

test("the message of a back-off says how long it is", () => {
  const { last } = live(podWith({}), { behaviour: rulesOf({ fail: { at: "1s" } }), until: 6000 });
  assert.deepEqual(last.containerStatuses?.[0]?.state.waiting, {
    reason: "CrashLoopBackOff",
    message: "back-off 10s restarting failed container=c pod=web_default(u1)",
  });
});

test("the same seed gives the same life, another seed another one", () => {
  const at = (seed: number, name: string) => {
    const pod = podWith({}, { name });
    const first = nextStatus({ pod, behaviour: defaultBehaviour, now: start, seed, hostIP: "10.0.0.1", podIP: () => "10.244.0.5" });
    return first.againInMs ?? 0;
  };
  assert.equal(at(7, "a"), at(7, "a"));
  assert.notEqual(at(7, "a"), at(8, "a"));
  assert.notEqual(at(7, "a"), at(7, "b"));
  for (let seed = 0; seed < 50; seed++) assert.ok(at(seed, "a") >= 500 && at(seed, "a") <= 2000);
});

test("an override that cannot be read is told, and the pod runs on", () => {
  const pod = podWith({}, { annotations: { "sim.sluice.dev/exit-code": "many", "sim.sluice.dev/colour": "red" } });
  const { events } = live(pod, { until: 1000 });
  const told = events.filter(({ reason }) => reason === "InvalidBehaviour").map(({ message }) => message);
  assert.equal(told.length, 2);
  assert.match(told.join("\n"), /sim\.sluice\.dev\/colour: unknown; known: pull, /);
  assert.match(told.join("\n"), /sim\.sluice\.dev\/exit-code\.exitCode: found "many", expected a whole number/);
});
