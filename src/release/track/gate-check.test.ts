import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "../../core/object/index.ts";
import type { Gate } from "../order/index.ts";
import { gateCheckOf, type GateContext } from "./gate-check.ts";

const context: GateContext = { hasStatus: true, pods: () => [], all: () => [] };
const of = (apiVersion: string, kind: string, more: object): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name: "x", generation: 1 },
  ...more,
});
const seen = (status: object) => ({ status: { observedGeneration: 1, ...status } });
const rule = (text: string): Gate => ({ until: "rule", rule: text });
const port = { spec: { ports: [{ name: "http", port: 80 }] } };
const slice = (ready: boolean): KubeObject => ({
  apiVersion: "discovery.k8s.io/v1",
  kind: "EndpointSlice",
  metadata: { name: "s", labels: { "kubernetes.io/service-name": "x" } },
  ports: [{ name: "http", port: 80 }],
  endpoints: [{ addresses: ["10.0.0.1"], conditions: { ready } }],
});

/** From KOTS' pkg/appstate, and from the definition of the gates. */
const cases: readonly (readonly [string, Gate, KubeObject | undefined, string, Partial<GateContext>?])[] = [
  [
    "a Deployment with all replicas",
    { until: "kots-ready" },
    of("apps/v1", "Deployment", { spec: { replicas: 2 }, ...seen({ readyReplicas: 2 }) }),
    "ready",
  ],
  [
    "a Deployment of old",
    { until: "kots-ready" },
    of("apps/v1", "Deployment", { status: { observedGeneration: 0, readyReplicas: 1 } }),
    "progressing",
  ],
  [
    "an unavailable replica",
    { until: "kots-ready" },
    of("apps/v1", "Deployment", seen({ readyReplicas: 1, unavailableReplicas: 1 })),
    "progressing",
  ],
  ["a DaemonSet with a pod astray", { until: "kots-ready" }, of("apps/v1", "DaemonSet", seen({ numberMisscheduled: 1 })), "progressing"],
  [
    "a DaemonSet in place",
    { until: "kots-ready" },
    of("apps/v1", "DaemonSet", seen({ desiredNumberScheduled: 1, currentNumberScheduled: 1, numberReady: 1 })),
    "ready",
  ],
  ["a bound claim", { until: "kots-ready" }, of("v1", "PersistentVolumeClaim", { status: { phase: "Bound" } }), "ready"],
  ["a lost claim", { until: "kots-ready" }, of("v1", "PersistentVolumeClaim", { status: { phase: "Lost" } }), "progressing"],
  ["a Service without endpoints", { until: "kots-ready" }, of("v1", "Service", port), "progressing"],
  ["a Service with endpoints", { until: "kots-ready" }, of("v1", "Service", port), "ready", { all: () => [slice(true)] }],
  ["a Service with unready endpoints", { until: "kots-ready" }, of("v1", "Service", port), "progressing", { all: () => [slice(false)] }],
  ["Knative's Service is another kind", { until: "kots-ready" }, of("serving.knative.dev/v1", "Service", port), "ready"],
  ["a Job for KOTS", { until: "kots-ready" }, of("batch/v1", "Job", {}), "ready"],
  ["a suspended Job has not run", { until: "completed" }, of("batch/v1", "Job", { spec: { suspend: true } }), "progressing"],
  [
    "a Job that is over",
    { until: "completed" },
    of("batch/v1", "Job", { status: { conditions: [{ type: "Complete", status: "True" }] } }),
    "ready",
  ],
  ["nothing there", { until: "present" }, undefined, "progressing"],
  ["nothing there, as it should be", { until: "absent" }, undefined, "ready"],
  ["another one of its name", { until: "absent" }, of("v1", "Secret", {}), "ready", { uid: "old" }],
  [
    "the condition form",
    { until: "properties", properties: [{ path: '.status.conditions[?(@.type=="Ready")].status', value: "True" }] },
    of("example.com/v1", "Widget", { status: { conditions: [{ type: "Ready", status: "True" }] } }),
    "ready",
  ],
  [
    "numbers are compared as text",
    { until: "properties", properties: [{ path: ".status.n", value: "3" }] },
    of("v1", "X", { status: { n: 3 } }),
    "ready",
  ],
  ["a rule that holds", rule("self.status.n > 2"), of("v1", "X", { status: { n: 3 } }), "ready"],
  ["a rule on what is not there yet", rule("self.status.n > 2"), of("v1", "X", {}), "progressing"],
];

for (const [what, gate, object, state, more = {}] of cases) {
  test(`${what}: ${state}`, () => assert.equal(gateCheckOf([gate], {})(object, { ...context, ...more }).state, state));
}

test("a status that is not understood closes no written gate, and one that is understood does", () => {
  const check = gateCheckOf([{ until: "properties", properties: [{ path: ".status.n", value: "3" }] }, { until: "ready" }], {});
  const widget = (status: object) => check(of("example.com/v1", "Widget", { status }), context).state;
  assert.equal(widget({ n: 3, tasks: {} }), "ready");
  assert.equal(widget({ n: 2 }), "progressing");
  assert.equal(widget({ n: 3, conditions: [{ type: "Ready", status: "False" }] }), "progressing");
  assert.equal(gateCheckOf([{ until: "ready" }], {})(of("example.com/v1", "Widget", { status: { n: 3 } }), context).state, "progressing");
});

test("too many failures are reported with the last termination of a restarted container", () => {
  const lastState = { terminated: { exitCode: 3, reason: "Error" } };
  const containerStatuses = [{ name: "main", restartCount: 1, ready: true, state: { running: {} }, lastState }];
  const pod: KubeObject = { apiVersion: "v1", kind: "Pod", metadata: { name: "x-1" }, status: { phase: "Running", containerStatuses } };
  const deployment = of("apps/v1", "Deployment", { spec: { replicas: 1 }, ...seen({ replicas: 1, updatedReplicas: 1 }) });
  const health = gateCheckOf([{ until: "ready" }], { failuresAllowedPerReplica: 0 })(deployment, { ...context, pods: () => [pod] });
  assert.equal(health.state, "failed");
  assert.match(
    health.state === "failed" ? health.because : "",
    /pod x-1: container main ended with exit code 3 \(1 failures, 0 allowed\)$/,
  );
});

test("all gates must be open", () => {
  const check = gateCheckOf([{ until: "present" }, rule("self.status.n > 2")], {});
  assert.equal(check(of("v1", "X", {}), context).state, "progressing");
});
