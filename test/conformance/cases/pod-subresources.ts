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
];
