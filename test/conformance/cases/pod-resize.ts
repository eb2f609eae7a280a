import type { Json } from "../../../src/core/object/index.ts";
import {
  applyRequest,
  httpGet,
  httpPost,
  httpPut,
  jsonPatch,
  mergePatch,
  namespacedPath,
  strategicPatch,
  type ConformanceCase,
} from "../conformance-case.ts";

const podsPath = namespacedPath("v1", "pods");
const resize = `${podsPath}/web/resize`;
type Amounts = { readonly [name: string]: string };
const resources = (requests: Amounts, limits: Amounts = {}) => ({ requests, limits });
const container = (name: string, more: { readonly [field: string]: Json } = {}) => ({ name, image: "example.com/good:1", ...more });
const main = container("a", { resources: resources({ cpu: "100m", memory: "64Mi" }, { cpu: "200m", memory: "128Mi" }) });
const pod = (name: string, spec: { readonly [field: string]: Json }) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name },
  spec: { schedulerName: "nobody", containers: [main], ...spec },
});
const resized = (requests: Amounts, limits: Amounts = {}) => ({
  spec: { containers: [{ name: "a", resources: resources(requests, limits) }] },
});
const shown = { show: ["spec.containers", "spec.initContainers", "metadata.generation", "metadata.labels", "metadata.managedFields"] };
const bodyOf = (spec: { readonly [field: string]: Json }) => ({ apiVersion: "v1", kind: "Pod", metadata: { name: "web" }, spec });
const init = container("first", { resources: resources({ cpu: "10m" }) });
const sidecar = container("beside", { restartPolicy: "Always", resources: resources({ cpu: "10m" }) });

/** The resources of a pod's containers change in place. */
export const podResizeCases: readonly ConformanceCase[] = [
  {
    id: "pod-subresources/resize",
    title: "the cpu and memory of containers change, and nothing else does",
    steps: [
      httpPost(podsPath, pod("web", { initContainers: [init, sidecar] }), { show: [] }),
      strategicPatch(resize, { ...resized({ cpu: "150m" }), metadata: { labels: { not: "taken" } } }, shown),
      httpGet(resize, { show: ["metadata.generation"] }),
      strategicPatch(resize, { spec: { initContainers: [{ name: "beside", resources: { requests: { cpu: "20m" } } }] } }, shown),
      strategicPatch(resize, { spec: { initContainers: [{ name: "first", resources: { requests: { cpu: "20m" } } }] } }, { expect: 422 }),
      strategicPatch(resize, { spec: { containers: [{ name: "a", image: "example.com/other", command: ["x"] }] } }, shown),
      applyRequest(resize, bodyOf({ containers: [{ name: "a", resources: { limits: { cpu: "250m" } } }] }), { ...shown, force: true }),
      httpPut(resize, pod("web", { initContainers: [init, sidecar] }), shown),
      httpGet(`${podsPath}/absent/resize`, { expect: 404 }),
      httpPost(resize, {}, { expect: 405 }),
      strategicPatch(`${podsPath}/web`, resized({ cpu: "150m" }), { expect: 422 }),
    ],
  },
  {
    id: "pod-subresources/resize-refused",
    title: "a resize keeps containers, the class of service and all requests and limits",
    steps: [
      httpPost(podsPath, pod("web", {}), { show: [] }),
      jsonPatch(resize, [{ op: "remove", path: "/spec/containers/0/resources/requests/cpu" }], { show: ["spec.containers"] }),
      jsonPatch(resize, [{ op: "remove", path: "/spec/containers/0/resources/limits/cpu" }], { expect: 422 }),
      jsonPatch(resize, [{ op: "remove", path: "/spec/containers/0/resources" }], { expect: 422 }),
      strategicPatch(resize, resized({ cpu: "200m", memory: "128Mi" }), { expect: 422 }),
      strategicPatch(resize, resized({ "ephemeral-storage": "1Gi" }), { expect: 422 }),
      strategicPatch(resize, resized({ cpu: "300m" }), { expect: 422 }),
      strategicPatch(
        resize,
        { spec: { containers: [{ name: "a", resizePolicy: [{ resourceName: "cpu", restartPolicy: "RestartContainer" }] }] } },
        { expect: 422 },
      ),
      strategicPatch(resize, { spec: { containers: [container("b")] } }, { expect: 422 }),
      strategicPatch(resize, { spec: { initContainers: [container("b")] } }, { expect: 422 }),
      jsonPatch(resize, [{ op: "replace", path: "/spec/containers/0/name", value: "b" }], { expect: 422 }),
      mergePatch(resize, { spec: { containers: [] } }, { expect: 422 }),
      httpPost(podsPath, pod("whole", { resources: resources({ cpu: "1" }) }), { show: [] }),
      strategicPatch(`${podsPath}/whole/resize`, resized({ cpu: "150m" }), { expect: 422 }),
    ],
  },
  {
    id: "pod-subresources/resize-limits",
    title: "a resize is held to limit ranges and quotas",
    steps: [
      httpPost(podsPath, pod("web", {}), { show: [] }),
      httpPost(
        namespacedPath("v1", "limitranges"),
        {
          apiVersion: "v1",
          kind: "LimitRange",
          metadata: { name: "most" },
          spec: { limits: [{ type: "Container", max: { cpu: "500m" } }] },
        },
        { show: [] },
      ),
      strategicPatch(`${resize}?dryRun=All`, resized({}, { cpu: "600m" }), { expect: 403, early: 200 }),
      httpPost(
        namespacedPath("v1", "resourcequotas"),
        { apiVersion: "v1", kind: "ResourceQuota", metadata: { name: "total" }, spec: { hard: { "requests.memory": "100Mi" } } },
        { show: [] },
      ),
      {
        waitFor: namespacedPath("v1", "resourcequotas", "total"),
        until: { "status.used": { "requests.memory": "64Mi" } },
        show: ["status"],
      },
      strategicPatch(resize, resized({ memory: "90Mi" }), { show: ["spec.containers"] }),
      strategicPatch(`${resize}?dryRun=All`, resized({ memory: "110Mi" }), { expect: 403, early: 200 }),
    ],
  },
  {
    id: "pod-subresources/resized",
    title: "a running container gets its new resources, or is restarted for them",
    needsKubelet: true,
    steps: [
      httpPost(
        podsPath,
        {
          ...pod("web", {}),
          spec: {
            containers: [
              main,
              container("b", {
                resources: resources({ memory: "10Mi" }),
                resizePolicy: [{ resourceName: "memory", restartPolicy: "RestartContainer" }],
              }),
            ],
          },
        },
        { show: [] },
      ),
      { waitFor: `${podsPath}/web`, until: { "condition:Ready": "True" }, show: ["status.phase", "spec.containers"] },
      strategicPatch(resize, resized({ cpu: "150m" }), { show: ["metadata.generation"] }),
      { waitFor: `${podsPath}/web`, until: { "status.observedGeneration": 2, "condition:Ready": "True" }, show: ["status.phase"] },
      strategicPatch(
        resize,
        { spec: { containers: [{ name: "b", resources: resources({ memory: "20Mi" }) }] } },
        { show: ["metadata.generation"] },
      ),
      { waitFor: `${podsPath}/web`, until: { "status.observedGeneration": 3, "condition:Ready": "False" }, show: [] },
      { waitFor: `${podsPath}/web`, until: { "condition:Ready": "True" }, show: ["status.phase"] },
    ],
  },
];
