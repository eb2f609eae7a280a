import type { Json } from "../../../src/object/index.ts";
import { get, inNs, mergePatch, post, remove, type Case, type Step } from "../case.ts";

const deployments = inNs("apps/v1", "deployments");
const replicaSets = inNs("apps/v1", "replicasets");
const statefulSets = inNs("apps/v1", "statefulsets");
const daemonSets = inNs("apps/v1", "daemonsets");
const pods = inNs("v1", "pods");
const web = `${deployments}/web`;
const podsOf = (app: string) => `${pods}?labelSelector=app%3D${app}`;

type Fields = { readonly [field: string]: Json };

const template = (image: string, container: Fields = {}, pod: Fields = {}) => ({
  metadata: { labels: { app: "web" } },
  spec: { containers: [{ name: "c", image: `example.com/${image}`, ...container }], ...pod },
});
const workload = (kind: string, spec: Fields, image = "good:1") => ({
  apiVersion: "apps/v1",
  kind,
  metadata: { name: "web" },
  spec: { selector: { matchLabels: { app: "web" } }, template: template(image), ...spec },
});
const image = (name: string) => ({ spec: { template: { spec: { containers: [{ name: "c", image: `example.com/${name}` }] } } } });
const conditions = ["status.conditions"];
const counts = ["status.replicas", "status.updatedReplicas", "status.readyReplicas", "status.availableReplicas", "status.unavailableReplicas", "status.observedGeneration"];
const complete = (replicas: number, generation: number): Step => ({
  waitFor: web,
  until: {
    "status.observedGeneration": generation,
    "status.updatedReplicas": replicas,
    "status.availableReplicas": replicas,
    "status.replicas": replicas,
    "status.conditions.1.reason": "NewReplicaSetAvailable",
  },
  show: [...counts, ...conditions, "metadata.annotations"],
});
const isReady = { "condition:Ready": "True" };

/** Deployments, ReplicaSets, StatefulSets and DaemonSets on their way. */
export const workloads: readonly Case[] = [
  {
    id: "workload/deployment",
    title: "a Deployment rolls out",
    steps: [
      post(deployments, workload("Deployment", { replicas: 2 }), { show: [] }),
      complete(2, 1),
      { waitForAll: `${replicaSets}?labelSelector=app%3Dweb`, count: 1, until: { "status.availableReplicas": 2 }, show: ["metadata.name", "metadata.labels", "metadata.annotations", "metadata.ownerReferences", "spec.replicas", "spec.selector", "status"] },
      { waitForAll: podsOf("web"), count: 2, until: isReady, show: ["metadata.generateName", "metadata.labels", "metadata.ownerReferences", "status.phase", "status.qosClass"] },
    ],
  },
  {
    id: "workload/deployment-update",
    title: "a new image makes a new ReplicaSet and empties the old one",
    steps: [
      post(deployments, workload("Deployment", { replicas: 2 }), { show: [] }),
      complete(2, 1),
      mergePatch(web, image("good:2"), { show: ["metadata.generation"] }),
      complete(2, 2),
      { waitForAll: `${replicaSets}?labelSelector=app%3Dweb`, count: 2, show: ["metadata.annotations", "spec.replicas", "spec.template.spec.containers.0.image", "status.replicas"] },
      { waitForAll: podsOf("web"), count: 2, until: isReady, show: ["spec.containers.0.image"] },
    ],
  },
  {
    id: "workload/deployment-scale",
    title: "a Deployment is scaled without a new revision, also by its scale subresource",
    steps: [
      post(deployments, workload("Deployment", { replicas: 1 }), { show: [] }),
      complete(1, 1),
      mergePatch(web, { spec: { replicas: 3 } }, { show: ["metadata.generation"] }),
      complete(3, 2),
      get(`${web}/scale`),
      mergePatch(`${web}/scale`, { spec: { replicas: 1 } }),
      complete(1, 3),
      { waitForAll: podsOf("web"), count: 1, until: isReady, show: ["status.phase"] },
    ],
  },
  {
    id: "workload/deployment-bad-image",
    title: "an image that cannot be pulled holds the rollout up until its deadline, and the old pods stay",
    steps: [
      post(deployments, workload("Deployment", { replicas: 2, progressDeadlineSeconds: 5 }), { show: [] }),
      complete(2, 1),
      mergePatch(web, image("missing:1"), { show: ["metadata.generation"] }),
      { waitFor: web, until: { "status.observedGeneration": 2, "condition:Progressing": "False" }, show: [...counts, ...conditions] },
      { waitForAll: `${pods}?labelSelector=app%3Dweb&fieldSelector=status.phase%3DPending`, count: 1, until: { "status.containerStatuses.0.state.waiting.reason": "ImagePullBackOff" }, show: ["status.phase", "status.containerStatuses.0.ready", "status.containerStatuses.0.started", "status.containerStatuses.0.state.waiting.reason"] },
    ],
  },
  {
    id: "workload/deployment-rollback",
    title: "going back to the old template takes the old ReplicaSet up again under a new revision",
    steps: [
      post(deployments, workload("Deployment", { replicas: 1, progressDeadlineSeconds: 5 }), { show: [] }),
      complete(1, 1),
      mergePatch(web, image("missing:1"), { show: [] }),
      { waitFor: web, until: { "status.observedGeneration": 2, "condition:Progressing": "False" }, show: ["metadata.annotations"] },
      mergePatch(web, image("good:1"), { show: ["metadata.generation"] }),
      complete(1, 3),
      { waitForAll: `${replicaSets}?labelSelector=app%3Dweb`, count: 2, until: "present", show: ["metadata.annotations", "spec.replicas", "spec.template.spec.containers.0.image"] },
    ],
  },
  {
    id: "workload/deployment-crash",
    title: "a container that ends is started again, later each time",
    steps: [
      post(deployments, workload("Deployment", { replicas: 1 }, "crash:1"), { show: [] }),
      { waitForAll: podsOf("web"), count: 1, until: { "status.containerStatuses.0.state.waiting.reason": "CrashLoopBackOff" }, show: ["status.phase", "status.containerStatuses.0.ready", "status.containerStatuses.0.started", "status.containerStatuses.0.lastState.terminated.exitCode", "status.containerStatuses.0.lastState.terminated.reason", "status.containerStatuses.0.state.waiting.reason"] },
      get(web, { show: ["status.unavailableReplicas", "status.replicas", "status.updatedReplicas"] }),
    ],
  },
  {
    id: "workload/deployment-recreate",
    title: "Recreate ends every old pod first",
    steps: [
      post(deployments, workload("Deployment", { replicas: 2, strategy: { type: "Recreate" } }), { show: [] }),
      complete(2, 1),
      mergePatch(web, image("good:2"), { show: [] }),
      complete(2, 2),
      { waitForAll: podsOf("web"), count: 2, until: isReady, show: ["spec.containers.0.image"] },
    ],
  },
  {
    id: "workload/deployment-paused",
    title: "a paused Deployment takes no new template up",
    steps: [
      post(deployments, workload("Deployment", { replicas: 1 }), { show: [] }),
      complete(1, 1),
      mergePatch(web, { spec: { paused: true } }, { show: [] }),
      { waitFor: web, until: { "status.observedGeneration": 2, "condition:Progressing": "Unknown" }, show: [...counts, ...conditions] },
      mergePatch(web, image("good:2"), { show: [] }),
      { waitFor: web, until: { "status.observedGeneration": 3, "status.updatedReplicas": null }, show: counts },
      mergePatch(web, { spec: { paused: false } }, { show: [] }),
      complete(1, 4),
    ],
  },
  {
    id: "workload/deployment-never-ready",
    title: "pods that run and are not ready keep a rollout waiting",
    steps: [
      post(deployments, workload("Deployment", { replicas: 1, progressDeadlineSeconds: 3 }, "never-ready:1"), { show: [] }),
      { waitFor: web, until: { "condition:Progressing": "False" }, show: [...counts, ...conditions] },
      { waitForAll: podsOf("web"), count: 1, until: { "status.phase": "Running", "condition:Ready": "False" }, show: ["status.phase", "status.containerStatuses.0.ready", "status.containerStatuses.0.started"] },
    ],
  },
  {
    id: "workload/deployment-deleted",
    title: "a Deployment takes its ReplicaSets and pods along",
    steps: [
      post(deployments, workload("Deployment", { replicas: 1 }), { show: [] }),
      complete(1, 1),
      remove(web, { propagationPolicy: "Foreground" }, { show: ["metadata.finalizers"] }),
      { waitFor: web, until: "gone" },
      { waitForAll: podsOf("web"), count: 0 },
      { waitForAll: `${replicaSets}?labelSelector=app%3Dweb`, count: 0 },
    ],
  },
  {
    id: "workload/replicaset",
    title: "a ReplicaSet replaces a pod that is deleted",
    steps: [
      post(replicaSets, workload("ReplicaSet", { replicas: 1 }), { show: [] }),
      { waitFor: `${replicaSets}/web`, until: { "status.availableReplicas": 1, "status.readyReplicas": 1 }, show: ["status"] },
      remove(podsOf("web"), undefined, { show: [] }),
      { waitFor: `${replicaSets}/web`, until: { "status.readyReplicas": 1, "status.availableReplicas": 1 }, show: ["status"] },
    ],
  },
  {
    id: "workload/statefulset",
    title: "a StatefulSet starts its pods one after the other, each when the one before is ready",
    steps: [
      get(pods, { capture: { rv: "metadata.resourceVersion" }, show: [] }),
      { watch: `${pods}?watch=true&resourceVersion={rv}`, name: "pods" },
      post(statefulSets, workload("StatefulSet", { replicas: 3, serviceName: "web" }), { show: [] }),
      { events: "pods", until: { type: "MODIFIED", is: { "metadata.name": "web-2", "condition:Ready": "True" } }, show: ["metadata.name", "status.phase"], coalesce: true },
      { waitFor: `${statefulSets}/web`, until: { "status.availableReplicas": 3, "status.currentReplicas": 3 }, show: ["status"] },
      get(`${pods}/web-0`, { show: ["metadata.labels", "metadata.ownerReferences", "spec.hostname", "spec.subdomain"] }),
    ],
  },
  {
    id: "workload/statefulset-update",
    title: "a StatefulSet updates from the last pod to the first",
    steps: [
      post(statefulSets, workload("StatefulSet", { replicas: 2, serviceName: "web" }), { show: [] }),
      { waitFor: `${statefulSets}/web`, until: { "status.availableReplicas": 2, "status.currentReplicas": 2 }, show: ["status.currentReplicas"] },
      get(pods, { capture: { rv: "metadata.resourceVersion" }, show: [] }),
      { watch: `${pods}?watch=true&resourceVersion={rv}`, name: "pods" },
      mergePatch(`${statefulSets}/web`, image("good:2"), { show: ["metadata.generation"] }),
      { events: "pods", until: { type: "ADDED", is: { "metadata.name": "web-0" } }, show: ["metadata.name", "spec.containers.0.image"], coalesce: true },
      { waitFor: `${statefulSets}/web`, until: { "status.observedGeneration": 2, "status.updatedReplicas": 2, "status.availableReplicas": 2, "status.currentReplicas": 2 }, show: ["status"] },
    ],
  },
  {
    id: "workload/statefulset-scale-down",
    title: "a StatefulSet ends its last pod first",
    steps: [
      post(statefulSets, workload("StatefulSet", { replicas: 2, serviceName: "web" }), { show: [] }),
      { waitFor: `${statefulSets}/web`, until: { "status.availableReplicas": 2 }, show: ["status.replicas"] },
      mergePatch(`${statefulSets}/web`, { spec: { replicas: 1 } }, { show: [] }),
      { waitFor: `${pods}/web-1`, until: "gone" },
      { waitFor: `${statefulSets}/web`, until: { "status.observedGeneration": 2, "status.replicas": 1, "status.availableReplicas": 1 }, show: ["status.replicas", "status.readyReplicas", "status.availableReplicas"] },
      get(`${pods}/web-0`, { show: ["metadata.name"] }),
    ],
  },
  {
    id: "workload/statefulset-claims",
    title: "a StatefulSet makes a claim for each pod, and leaves it behind",
    steps: [
      post(statefulSets, workload("StatefulSet", { replicas: 1, serviceName: "web", volumeClaimTemplates: [{ metadata: { name: "data" }, spec: { accessModes: ["ReadWriteOnce"], storageClassName: "standard", resources: { requests: { storage: "1Gi" } } } }] }), { show: [] }),
      { waitFor: `${statefulSets}/web`, until: { "status.availableReplicas": 1 }, show: ["status.replicas"] },
      { waitFor: inNs("v1", "persistentvolumeclaims", "data-web-0"), until: { "status.phase": "Bound" }, show: ["metadata.name", "metadata.labels", "metadata.ownerReferences", "status.phase", "status.accessModes", "status.capacity"] },
      get(`${pods}/web-0`, { show: ["spec.volumes.0"] }),
      remove(`${statefulSets}/web`, { propagationPolicy: "Foreground" }, { show: [] }),
      { waitFor: `${pods}/web-0`, until: "gone" },
      get(inNs("v1", "persistentvolumeclaims", "data-web-0"), { show: ["status.phase"] }),
    ],
  },
  {
    id: "workload/statefulset-parallel",
    title: "a parallel StatefulSet starts all at once",
    steps: [
      post(statefulSets, workload("StatefulSet", { replicas: 2, serviceName: "web", podManagementPolicy: "Parallel" }, "never-ready:1"), { show: [] }),
      { waitForAll: podsOf("web"), count: 2, until: { "status.phase": "Running" }, show: ["metadata.name", "metadata.labels"] },
    ],
  },
  {
    id: "workload/statefulset-immutable",
    title: "most of a StatefulSet cannot be changed",
    steps: [
      post(statefulSets, workload("StatefulSet", { replicas: 0, serviceName: "web" }), { show: [] }),
      mergePatch(`${statefulSets}/web`, { spec: { serviceName: "other" } }, { expect: 422 }),
      mergePatch(`${statefulSets}/web`, { spec: { podManagementPolicy: "Parallel" } }, { expect: 422 }),
    ],
  },
  {
    id: "workload/daemonset",
    title: "a DaemonSet runs on every node, and updates there",
    steps: [
      post(daemonSets, workload("DaemonSet", {}), { show: [] }),
      { waitFor: `${daemonSets}/web`, until: { "status.numberAvailable": 1, "status.updatedNumberScheduled": 1 }, show: ["status"] },
      { waitForAll: podsOf("web"), count: 1, until: isReady, show: ["metadata.labels", "metadata.ownerReferences", "spec.tolerations", "spec.affinity"] },
      mergePatch(`${daemonSets}/web`, image("good:2"), { show: ["metadata.generation"] }),
      { waitFor: `${daemonSets}/web`, until: { "status.observedGeneration": 2, "status.numberAvailable": 1, "status.updatedNumberScheduled": 1 }, show: ["status"] },
      { waitForAll: podsOf("web"), count: 1, until: isReady, show: ["spec.containers.0.image"] },
    ],
  },
  {
    id: "workload/daemonset-selector",
    title: "a DaemonSet without a fitting node runs nowhere",
    steps: [
      post(daemonSets, workload("DaemonSet", { template: template("good:1", {}, { nodeSelector: { no: "where" } }) }), { show: [] }),
      { waitFor: `${daemonSets}/web`, until: { "status.observedGeneration": 1 }, show: ["status"] },
    ],
  },
  {
    id: "workload/unschedulable",
    title: "a pod that fits nowhere says why",
    steps: [
      post(pods, { apiVersion: "v1", kind: "Pod", metadata: { name: "big", labels: { app: "web" } }, spec: { containers: [{ name: "c", image: "example.com/good:1", resources: { requests: { cpu: "100000" } } }] } }, { show: [] }),
      { waitFor: `${pods}/big`, until: { "condition:PodScheduled": "False" }, show: ["status.phase", "status.conditions", "spec.nodeName"] },
      post(pods, { apiVersion: "v1", kind: "Pod", metadata: { name: "picky", labels: { app: "web" } }, spec: { nodeSelector: { no: "where" }, containers: [{ name: "c", image: "example.com/good:1" }] } }, { show: [] }),
      { waitFor: `${pods}/picky`, until: { "condition:PodScheduled": "False" }, show: ["status.phase", "status.conditions"] },
    ],
  },
];
