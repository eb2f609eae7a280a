import { httpGet, namespacedPath, mergePatch, httpPost, httpPut, type ConformanceCase } from "../conformance-case.ts";

const deployments = namespacedPath("apps/v1", "deployments");
const web = `${deployments}/web`;
const deployment = (more: { [field: string]: string | number | boolean } = {}) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web" },
  spec: {
    replicas: 0,
    selector: { matchLabels: { app: "web" } },
    template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "c", image: "example.com/good:1" }] } },
    ...more,
  },
});
const pvc = namespacedPath("v1", "persistentvolumeclaims");
const parts = ["metadata.generation", "spec.replicas", "spec.maxUnavailable", "metadata.labels"];
const pdbs = namespacedPath("policy/v1", "poddisruptionbudgets");
const budget = {
  apiVersion: "policy/v1",
  kind: "PodDisruptionBudget",
  metadata: { name: "b" },
  spec: { maxUnavailable: 1, selector: { matchLabels: { a: "b" } } },
};

/** Spec and status are written separately, and only a change of the spec increases the generation. */
export const statusCases: readonly ConformanceCase[] = [
  {
    id: "status/generation",
    title: "a generation counts changes of the spec and of nothing else",
    steps: [
      httpPost(deployments, deployment(), { show: parts }),
      mergePatch(web, { metadata: { labels: { a: "b" } } }, { show: parts }),
      mergePatch(web, { spec: { minReadySeconds: 1 } }, { show: parts }),
      mergePatch(web, { spec: { minReadySeconds: 1 } }, { show: parts }),
    ],
  },
  {
    id: "status/ignored-on-main",
    title: "a status in the object itself is ignored",
    steps: [
      httpPost(pvc, {
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        metadata: { name: "a" },
        spec: { accessModes: ["ReadWriteOnce"], storageClassName: "nobody", resources: { requests: { storage: "1Gi" } } },
        status: { phase: "Bound" },
      }),
      mergePatch(`${pvc}/a`, { status: { phase: "Lost" } }, { show: ["status"] }),
    ],
  },
  {
    id: "status/subresource",
    title: "the status subresource writes the status and nothing else of the object",
    steps: [
      httpPost(`${pvc}?fieldManager=one`, {
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        metadata: { name: "a" },
        spec: { accessModes: ["ReadWriteOnce"], storageClassName: "nobody", resources: { requests: { storage: "1Gi" } } },
      }),
      mergePatch(`${pvc}/a/status?fieldManager=two`, {
        spec: { volumeName: "v" },
        status: { conditions: [{ type: "Resizing", status: "True" }] },
      }),
      httpGet(`${pvc}/a/status`, { show: ["status", "spec"] }),
    ],
  },
  {
    id: "status/wrong-subresource",
    title: "a kind without a status subresource has none",
    steps: [
      httpGet(namespacedPath("v1", "configmaps", "kube-root-ca.crt/status"), { expect: 404 }),
      httpGet(`${deployments}/zz/status`, { expect: 404 }),
      httpGet(namespacedPath("v1", "configmaps", "kube-root-ca.crt/nothing"), { expect: 404 }),
    ],
  },
  {
    id: "status/deployment-observed",
    title: "the controller reports the generation that it has observed",
    steps: [
      httpPost(deployments, deployment({ paused: true }), { show: parts }),
      { waitFor: web, until: { "status.observedGeneration": 1 }, show: ["status.observedGeneration"] },
      mergePatch(web, { spec: { paused: false } }, { show: parts }),
      { waitFor: web, until: { "status.observedGeneration": 2 }, show: ["status.observedGeneration"] },
    ],
  },
  {
    id: "status/put-subresource",
    title: "a PUT of a status checks the version and keeps the spec",
    steps: [
      httpPost(pdbs, budget, { capture: { rv: "metadata.resourceVersion" }, show: ["spec", "metadata.generation"] }),
      httpPut(`${pdbs}/b/status`, { ...budget, metadata: { name: "b", resourceVersion: "1" } }, { expect: 409 }),
    ],
  },
];
