import type { Json } from "../../../src/core/object/index.ts";
import { httpGet, httpPost, httpPut, namespacedPath, strategicPatch, type ConformanceCase } from "../conformance-case.ts";

const podsPath = namespacedPath("v1", "pods");
const podPath = `${podsPath}/web`;
/** A pod that nobody schedules. */
const pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web" },
  spec: { schedulerName: "nobody", containers: [{ name: "a", image: "example.com/a" }] },
};
const debugger1 = { name: "debugger", image: "example.com/debug", targetContainerName: "a", stdin: true };
const adding = (...containers: object[]) => ({ spec: { ephemeralContainers: JSON.parse(JSON.stringify(containers)) } });
const part = `${podPath}/ephemeralcontainers`;

const named = (name: string) => ({ ...pod, metadata: { name, labels: { app: "web" } } });
const running = (name: string) => ({
  ...named(name),
  status: { phase: "Running", conditions: [{ type: "Ready", status: "True", lastTransitionTime: "2020-01-01T00:00:00Z" }] },
});
const evict = (name: string, more: { readonly [field: string]: Json } = {}) => ({
  apiVersion: "policy/v1",
  kind: "Eviction",
  metadata: { name },
  ...more,
});
const budgetsPath = namespacedPath("policy/v1", "poddisruptionbudgets");
const budget = (name: string, minAvailable: number) => ({
  apiVersion: "policy/v1",
  kind: "PodDisruptionBudget",
  metadata: { name },
  spec: { minAvailable, selector: { matchLabels: { app: "web" } } },
});
const runningSteps = (name: string) => [
  httpPost(podsPath, named(name), { show: [] }),
  httpPut(`${podsPath}/${name}/status`, running(name), { show: [] }),
];

/** Subresources that change a part of a pod. */
export const podSubresourceCases: readonly ConformanceCase[] = [
  {
    id: "pod-subresources/ephemeral",
    title: "an ephemeral container is added, and then neither changed nor removed",
    steps: [
      httpPost(podsPath, pod, { show: [] }),
      strategicPatch(part, { ...adding(debugger1), metadata: { labels: { not: "taken" } } }),
      httpGet(part, { show: ["spec.ephemeralContainers", "metadata.labels", "metadata.generation"] }),
      strategicPatch(part, adding({ name: "second", image: "example.com/debug" }), {
        show: ["spec.ephemeralContainers", "metadata.generation"],
      }),
      strategicPatch(part, adding({ name: "debugger", image: "example.com/other" }), { expect: 422 }),
      strategicPatch(part, adding({ name: "a", image: "example.com/debug" }), { expect: 422 }),
      strategicPatch(
        part,
        adding({ name: "third", image: "example.com/debug", targetContainerName: "none", ports: [{ containerPort: 80 }] }),
        { expect: 422 },
      ),
      httpPut(part, pod, { expect: 422 }),
      strategicPatch(podPath, adding({ name: "third", image: "example.com/debug" }), { expect: 422 }),
      httpGet(`${podsPath}/absent/ephemeralcontainers`, { expect: 404 }),
    ],
  },
  {
    id: "pod-subresources/eviction",
    title: "a pod is evicted unless its budget forbids it",
    steps: [
      httpPost(podsPath, pod, { show: [] }),
      httpPost(`${podPath}/eviction`, evict("other"), { expect: 400 }),
      httpPost(`${podsPath}/absent/eviction`, evict("absent"), { expect: 404 }),
      httpPost(`${podPath}/eviction`, evict("web", { deleteOptions: { preconditions: { uid: "other" } } }), { expect: 409 }),
      httpPost(`${podPath}/eviction`, evict("web")),
      httpGet(podPath, { expect: 404 }),
      httpGet(`${podPath}/eviction`, { expect: 405 }),
      ...runningSteps("a"),
      ...runningSteps("b"),
      httpPost(budgetsPath, budget("one", 1), { show: [] }),
      { waitFor: `${budgetsPath}/one`, until: { "status.disruptionsAllowed": 1 }, show: [] },
      httpPost(`${podsPath}/a/eviction`, evict("a")),
      { waitFor: `${budgetsPath}/one`, until: { "status.disruptionsAllowed": 0, "status.currentHealthy": 1 }, show: [] },
      httpPost(budgetsPath, budget("two", 1), { show: [] }),
      httpPost(`${podsPath}/b/eviction`, evict("b"), { expect: 500 }),
    ],
  },
];
