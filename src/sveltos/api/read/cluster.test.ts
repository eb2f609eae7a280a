import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "../../../core/object/index.ts";
import { clusterReference, clusterReferredTo, isClusterObject, readCluster } from "./cluster.ts";

const metadata = { name: "c1", namespace: "mgmt", labels: { env: "fv" } };
const cluster = (rest: object, kind = "SveltosCluster", more: object = {}): KubeObject => ({
  apiVersion: kind === "Cluster" ? "cluster.x-k8s.io/v1beta1" : "lib.projectsveltos.io/v1beta1",
  kind,
  metadata: { ...metadata, ...more },
  ...rest,
});

const cases: Readonly<Record<string, readonly [object: KubeObject, normal: object]>> = {
  "a SveltosCluster that is ready": [
    cluster({ spec: {}, status: { ready: true, connectionStatus: "Healthy" } }),
    { type: "Sveltos", ready: true, down: false, paused: false, deleting: false, kubeconfig: { secret: "c1-sveltos-kubeconfig" } },
  ],
  "one without spec and status": [cluster({}), { ready: false, down: false }],
  "one that cannot be reached": [cluster({ status: { ready: true, connectionStatus: "Down" } }), { ready: true, down: true }],
  "one that is going": [
    cluster({ status: { ready: true } }, "SveltosCluster", { deletionTimestamp: "2026-01-01T00:00:00Z" }),
    { ready: false, deleting: true },
  ],
  "one that names its Secret": [
    cluster({ spec: { kubeconfigName: "k", kubeconfigKeyName: "v", paused: true, consecutiveFailureThreshold: 5 } }),
    { kubeconfig: { secret: "k", key: "v" }, paused: true, consecutiveFailureThreshold: 5 },
  ],
  "a Cluster of Cluster API": [
    cluster({ status: { controlPlaneReady: true } }, "Cluster"),
    { type: "Capi", ready: true, down: false, paused: false, kubeconfig: { secret: "c1-kubeconfig", key: "value" } },
  ],
  "one whose condition tells": [
    cluster({ status: { conditions: [{ type: "ControlPlaneInitialized", status: "True" }] } }, "Cluster"),
    { ready: true },
  ],
  "one of v1beta2": [cluster({ status: { initialization: { controlPlaneInitialized: true } } }, "Cluster"), { ready: true }],
  "one that comes up, paused": [cluster({ spec: { paused: true } }, "Cluster"), { ready: false, paused: true }],
};

for (const [what, [object, normal]] of Object.entries(cases)) {
  test(what, () => {
    const reading = readCluster(object);
    assert.ok(reading.state === "read");
    assert.ok(isClusterObject(object));
    assert.partialDeepStrictEqual(reading.value, { namespace: "mgmt", name: "c1", labels: { env: "fv" }, object, ...normal });
    assert.deepEqual(reading.refused, []);
  });
}

test("fields that are not built are refused, unless they have their default", () => {
  const spec = { pullMode: true, activeWindow: { from: "a", to: "b" }, readinessChecks: [], workloadIdentity: undefined };
  assert.deepEqual(readCluster(cluster({ spec })).refused, ["spec.activeWindow", "spec.pullMode"]);
  assert.deepEqual(readCluster(cluster({ spec: { pullMode: false } })).refused, []);
});

test("other objects are no clusters", () => {
  assert.equal(isClusterObject({ ...cluster({}), apiVersion: "example.com/v1" }), false);
  assert.equal(isClusterObject({ ...cluster({}, "Cluster"), apiVersion: "example.com/v1" }), false);
});

test("references to clusters are as Sveltos writes them, and lead back", () => {
  const c1 = { type: "Sveltos", namespace: "mgmt", name: "c1" } as const;
  assert.deepEqual(clusterReference(c1), {
    apiVersion: "lib.projectsveltos.io/v1beta1",
    kind: "SveltosCluster",
    name: "c1",
    namespace: "mgmt",
  });
  assert.deepEqual(clusterReferredTo(clusterReference(c1)), c1);
  assert.deepEqual(clusterReferredTo(clusterReference({ ...c1, type: "Capi" })), { ...c1, type: "Capi" });
  assert.equal(clusterReferredTo({ kind: "ConfigMap", name: "a" }), undefined);
  assert.equal(clusterReferredTo({ kind: "Cluster" }), undefined);
});
