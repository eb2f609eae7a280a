import { httpGet, namespacedPath, mergePatch, httpPost, httpDelete, type ConformanceCase } from "../conformance-case.ts";
import { imagePatch, untilReady, podsPath, webPodsPath, webTemplate, webWorkload } from "./web-workload.ts";

const statefulSets = namespacedPath("apps/v1", "statefulsets");
const daemonSets = namespacedPath("apps/v1", "daemonsets");

/** StatefulSets, DaemonSets and the scheduler. */
export const workloadCases: readonly ConformanceCase[] = [
  {
    id: "workload/statefulset",
    title: "a StatefulSet starts its pods one after the other, each when the one before is ready",
    steps: [
      httpGet(podsPath, { capture: { rv: "metadata.resourceVersion" }, show: [] }),
      { watch: `${podsPath}?watch=true&resourceVersion={rv}`, name: "pods" },
      httpPost(statefulSets, webWorkload("StatefulSet", { replicas: 3, serviceName: "web" }), { show: [] }),
      {
        events: "pods",
        until: { type: "MODIFIED", is: { "metadata.name": "web-2", "condition:Ready": "True" } },
        show: ["metadata.name", "status.phase"],
        coalesce: true,
      },
      { waitFor: `${statefulSets}/web`, until: { "status.availableReplicas": 3, "status.currentReplicas": 3 }, show: ["status"] },
      httpGet(`${podsPath}/web-0`, { show: ["metadata.labels", "metadata.ownerReferences", "spec.hostname", "spec.subdomain"] }),
    ],
  },
  {
    id: "workload/statefulset-update",
    title: "a StatefulSet updates from the last pod to the first",
    steps: [
      httpPost(statefulSets, webWorkload("StatefulSet", { replicas: 2, serviceName: "web" }), { show: [] }),
      {
        waitFor: `${statefulSets}/web`,
        until: { "status.availableReplicas": 2, "status.currentReplicas": 2 },
        show: ["status.currentReplicas"],
      },
      httpGet(podsPath, { capture: { rv: "metadata.resourceVersion" }, show: [] }),
      { watch: `${podsPath}?watch=true&resourceVersion={rv}`, name: "pods" },
      mergePatch(`${statefulSets}/web`, imagePatch("good:2"), { show: ["metadata.generation"] }),
      {
        events: "pods",
        until: { type: "ADDED", is: { "metadata.name": "web-0" } },
        show: ["metadata.name", "spec.containers.0.image"],
        coalesce: true,
      },
      {
        waitFor: `${statefulSets}/web`,
        until: { "status.observedGeneration": 2, "status.updatedReplicas": 2, "status.availableReplicas": 2, "status.currentReplicas": 2 },
        show: ["status"],
      },
    ],
  },
  {
    id: "workload/statefulset-scale-down",
    title: "a StatefulSet ends its last pod first",
    steps: [
      httpPost(statefulSets, webWorkload("StatefulSet", { replicas: 2, serviceName: "web" }), { show: [] }),
      { waitFor: `${statefulSets}/web`, until: { "status.availableReplicas": 2 }, show: ["status.replicas"] },
      mergePatch(`${statefulSets}/web`, { spec: { replicas: 1 } }, { show: [] }),
      { waitFor: `${podsPath}/web-1`, until: "gone" },
      {
        waitFor: `${statefulSets}/web`,
        until: { "status.observedGeneration": 2, "status.replicas": 1, "status.availableReplicas": 1 },
        show: ["status.replicas", "status.readyReplicas", "status.availableReplicas"],
      },
      httpGet(`${podsPath}/web-0`, { show: ["metadata.name"] }),
    ],
  },
  {
    id: "workload/statefulset-claims",
    title: "a StatefulSet makes a claim for each pod, and leaves it behind",
    steps: [
      httpPost(
        statefulSets,
        webWorkload("StatefulSet", {
          replicas: 1,
          serviceName: "web",
          volumeClaimTemplates: [
            {
              metadata: { name: "data" },
              spec: { accessModes: ["ReadWriteOnce"], storageClassName: "standard", resources: { requests: { storage: "1Gi" } } },
            },
          ],
        }),
        { show: [] },
      ),
      { waitFor: `${statefulSets}/web`, until: { "status.availableReplicas": 1 }, show: ["status.replicas"] },
      {
        waitFor: namespacedPath("v1", "persistentvolumeclaims", "data-web-0"),
        until: { "status.phase": "Bound" },
        show: ["metadata.name", "metadata.labels", "metadata.ownerReferences", "status.phase", "status.accessModes", "status.capacity"],
      },
      httpGet(`${podsPath}/web-0`, { show: ["spec.volumes.0"] }),
      httpDelete(`${statefulSets}/web`, { propagationPolicy: "Foreground" }, { show: [] }),
      { waitFor: `${podsPath}/web-0`, until: "gone" },
      httpGet(namespacedPath("v1", "persistentvolumeclaims", "data-web-0"), { show: ["status.phase"] }),
    ],
  },
  {
    id: "workload/statefulset-parallel",
    title: "a parallel StatefulSet starts all at once",
    steps: [
      httpPost(
        statefulSets,
        webWorkload("StatefulSet", { replicas: 2, serviceName: "web", podManagementPolicy: "Parallel" }, "never-ready:1"),
        {
          show: [],
        },
      ),
      { waitForAll: webPodsPath, count: 2, until: { "status.phase": "Running" }, show: ["metadata.name", "metadata.labels"] },
    ],
  },
  {
    id: "workload/statefulset-immutable",
    title: "most of a StatefulSet cannot be changed",
    steps: [
      httpPost(statefulSets, webWorkload("StatefulSet", { replicas: 0, serviceName: "web" }), { show: [] }),
      mergePatch(`${statefulSets}/web`, { spec: { serviceName: "other" } }, { expect: 422 }),
      mergePatch(`${statefulSets}/web`, { spec: { podManagementPolicy: "Parallel" } }, { expect: 422 }),
    ],
  },
  {
    id: "workload/daemonset",
    title: "a DaemonSet runs on every node, and updates there",
    steps: [
      httpPost(daemonSets, webWorkload("DaemonSet", {}), { show: [] }),
      { waitFor: `${daemonSets}/web`, until: { "status.numberAvailable": 1, "status.updatedNumberScheduled": 1 }, show: ["status"] },
      {
        waitForAll: webPodsPath,
        count: 1,
        until: untilReady,
        show: ["metadata.labels", "metadata.ownerReferences", "spec.tolerations", "spec.affinity"],
      },
      mergePatch(`${daemonSets}/web`, imagePatch("good:2"), { show: ["metadata.generation"] }),
      {
        waitFor: `${daemonSets}/web`,
        until: { "status.observedGeneration": 2, "status.numberAvailable": 1, "status.updatedNumberScheduled": 1 },
        show: ["status"],
      },
      { waitForAll: webPodsPath, count: 1, until: untilReady, show: ["spec.containers.0.image"] },
    ],
  },
  {
    id: "workload/daemonset-selector",
    title: "a DaemonSet without a fitting node runs nowhere",
    steps: [
      httpPost(daemonSets, webWorkload("DaemonSet", { template: webTemplate("good:1", {}, { nodeSelector: { no: "where" } }) }), {
        show: [],
      }),
      { waitFor: `${daemonSets}/web`, until: { "status.observedGeneration": 1 }, show: ["status"] },
    ],
  },
  {
    id: "workload/unschedulable",
    title: "a pod that fits nowhere says why",
    steps: [
      httpPost(
        podsPath,
        {
          apiVersion: "v1",
          kind: "Pod",
          metadata: { name: "big", labels: { app: "web" } },
          spec: { containers: [{ name: "c", image: "example.com/good:1", resources: { requests: { cpu: "100000" } } }] },
        },
        { show: [] },
      ),
      {
        waitFor: `${podsPath}/big`,
        until: { "condition:PodScheduled": "False" },
        show: ["status.phase", "status.conditions", "spec.nodeName"],
      },
      httpPost(
        podsPath,
        {
          apiVersion: "v1",
          kind: "Pod",
          metadata: { name: "picky", labels: { app: "web" } },
          spec: { nodeSelector: { no: "where" }, containers: [{ name: "c", image: "example.com/good:1" }] },
        },
        { show: [] },
      ),
      { waitFor: `${podsPath}/picky`, until: { "condition:PodScheduled": "False" }, show: ["status.phase", "status.conditions"] },
    ],
  },
];
