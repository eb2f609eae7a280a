import { httpGet, namespacedPath, mergePatch, httpPost, httpDelete, type ConformanceCase, type CaseStep } from "../conformance-case.ts";
import { imagePatch, untilReady, podsPath, webPodsPath, webWorkload } from "./web-workload.ts";

const deploymentsPath = namespacedPath("apps/v1", "deployments");
const replicaSets = namespacedPath("apps/v1", "replicasets");
const web = `${deploymentsPath}/web`;
const conditions = ["status.conditions"];
const counts = [
  "status.replicas",
  "status.updatedReplicas",
  "status.readyReplicas",
  "status.availableReplicas",
  "status.unavailableReplicas",
  "status.observedGeneration",
];
const complete = (replicas: number, generation: number): CaseStep => ({
  waitFor: web,
  until: {
    "status.observedGeneration": generation,
    "status.updatedReplicas": replicas,
    "status.availableReplicas": replicas,
    "status.replicas": replicas,
    "condition:Available": "True",
    "reason:Progressing": "NewReplicaSetAvailable",
  },
  // The controller may keep the condition of the previous rollout when it never observed the new one in progress.
  show: [...counts, ...(generation === 1 ? conditions : []), "metadata.annotations"],
});

/** Rollouts of Deployments and ReplicaSets. */
export const deploymentCases: readonly ConformanceCase[] = [
  {
    id: "workload/deployment",
    title: "a Deployment rolls out",
    steps: [
      httpPost(deploymentsPath, webWorkload("Deployment", { replicas: 2 }), { show: [] }),
      complete(2, 1),
      {
        waitForAll: `${replicaSets}?labelSelector=app%3Dweb`,
        count: 1,
        until: { "status.availableReplicas": 2 },
        show: [
          "metadata.name",
          "metadata.labels",
          "metadata.annotations",
          "metadata.ownerReferences",
          "spec.replicas",
          "spec.selector",
          "status",
        ],
      },
      {
        waitForAll: webPodsPath,
        count: 2,
        until: untilReady,
        show: ["metadata.generateName", "metadata.labels", "metadata.ownerReferences", "status.phase", "status.qosClass"],
      },
    ],
  },
  {
    id: "workload/deployment-update",
    title: "a new image makes a new ReplicaSet and empties the old one",
    steps: [
      httpPost(deploymentsPath, webWorkload("Deployment", { replicas: 2 }), { show: [] }),
      complete(2, 1),
      mergePatch(web, imagePatch("good:2"), { show: ["metadata.generation"] }),
      complete(2, 2),
      {
        waitForAll: `${replicaSets}?labelSelector=app%3Dweb`,
        count: 2,
        show: ["metadata.annotations", "spec.replicas", "spec.template.spec.containers.0.image", "status.replicas"],
      },
      { waitForAll: webPodsPath, count: 2, until: untilReady, show: ["spec.containers.0.image"] },
    ],
  },
  {
    id: "workload/deployment-scale",
    title: "a Deployment is scaled without a new revision, also by its scale subresource",
    steps: [
      httpPost(deploymentsPath, webWorkload("Deployment", { replicas: 1 }), { show: [] }),
      complete(1, 1),
      mergePatch(web, { spec: { replicas: 3 } }, { show: ["metadata.generation"] }),
      complete(3, 2),
      httpGet(`${web}/scale`),
      mergePatch(`${web}/scale`, { spec: { replicas: 1 } }),
      complete(1, 3),
      { waitForAll: webPodsPath, count: 1, until: untilReady, show: ["status.phase"] },
    ],
  },
  {
    id: "workload/deployment-bad-image",
    title: "an image that cannot be pulled holds the rollout up until its deadline, and the old pods stay",
    steps: [
      httpPost(deploymentsPath, webWorkload("Deployment", { replicas: 2, progressDeadlineSeconds: 5 }), { show: [] }),
      complete(2, 1),
      mergePatch(web, imagePatch("missing:1"), { show: ["metadata.generation"] }),
      { waitFor: web, until: { "status.observedGeneration": 2, "condition:Progressing": "False" }, show: [...counts, ...conditions] },
      {
        waitForAll: `${podsPath}?labelSelector=app%3Dweb&fieldSelector=status.phase%3DPending`,
        count: 1,
        until: { "status.containerStatuses.0.state.waiting.reason": "ImagePullBackOff" },
        show: [
          "status.phase",
          "status.containerStatuses.0.ready",
          "status.containerStatuses.0.started",
          "status.containerStatuses.0.state.waiting.reason",
        ],
      },
    ],
  },
  {
    id: "workload/deployment-rollback",
    title: "going back to the old template takes the old ReplicaSet up again under a new revision",
    steps: [
      httpPost(deploymentsPath, webWorkload("Deployment", { replicas: 1, progressDeadlineSeconds: 5 }), { show: [] }),
      complete(1, 1),
      mergePatch(web, imagePatch("missing:1"), { show: [] }),
      { waitFor: web, until: { "status.observedGeneration": 2, "condition:Progressing": "False" }, show: ["metadata.annotations"] },
      mergePatch(web, imagePatch("good:1"), { show: ["metadata.generation"] }),
      complete(1, 3),
      {
        waitForAll: `${replicaSets}?labelSelector=app%3Dweb`,
        count: 2,
        until: "present",
        show: ["metadata.annotations", "spec.replicas", "spec.template.spec.containers.0.image"],
      },
    ],
  },
  {
    id: "workload/deployment-crash",
    title: "a container that ends is started again, later each time",
    steps: [
      httpPost(deploymentsPath, webWorkload("Deployment", { replicas: 1 }, "crash:1"), { show: [] }),
      {
        waitForAll: webPodsPath,
        count: 1,
        until: { "status.containerStatuses.0.state.waiting.reason": "CrashLoopBackOff" },
        show: [
          "status.phase",
          "status.containerStatuses.0.ready",
          "status.containerStatuses.0.started",
          "status.containerStatuses.0.lastState.terminated.exitCode",
          "status.containerStatuses.0.lastState.terminated.reason",
          "status.containerStatuses.0.state.waiting.reason",
        ],
      },
      httpGet(web, { show: ["status.unavailableReplicas", "status.replicas", "status.updatedReplicas"] }),
    ],
  },
  {
    id: "workload/deployment-recreate",
    title: "Recreate ends every old pod first",
    steps: [
      httpPost(deploymentsPath, webWorkload("Deployment", { replicas: 2, strategy: { type: "Recreate" } }), { show: [] }),
      complete(2, 1),
      mergePatch(web, imagePatch("good:2"), { show: [] }),
      complete(2, 2),
      { waitForAll: webPodsPath, count: 2, until: untilReady, show: ["spec.containers.0.image"] },
    ],
  },
  {
    id: "workload/deployment-paused",
    title: "a paused Deployment takes no new template up",
    steps: [
      httpPost(deploymentsPath, webWorkload("Deployment", { replicas: 1 }), { show: [] }),
      complete(1, 1),
      mergePatch(web, { spec: { paused: true } }, { show: [] }),
      { waitFor: web, until: { "status.observedGeneration": 2, "condition:Progressing": "Unknown" }, show: [...counts, ...conditions] },
      mergePatch(web, imagePatch("good:2"), { show: [] }),
      { waitFor: web, until: { "status.observedGeneration": 3, "status.updatedReplicas": null }, show: counts },
      mergePatch(web, { spec: { paused: false } }, { show: [] }),
      complete(1, 4),
    ],
  },
  {
    id: "workload/deployment-never-ready",
    title: "pods that run and are not ready keep a rollout waiting",
    steps: [
      httpPost(deploymentsPath, webWorkload("Deployment", { replicas: 1, progressDeadlineSeconds: 3 }, "never-ready:1"), { show: [] }),
      { waitFor: web, until: { "condition:Progressing": "False" }, show: [...counts, ...conditions] },
      {
        waitForAll: webPodsPath,
        count: 1,
        until: { "status.phase": "Running", "condition:Ready": "False" },
        show: ["status.phase", "status.containerStatuses.0.ready", "status.containerStatuses.0.started"],
      },
    ],
  },
  {
    id: "workload/deployment-deleted",
    title: "a Deployment takes its ReplicaSets and pods along",
    steps: [
      httpPost(deploymentsPath, webWorkload("Deployment", { replicas: 1 }), { show: [] }),
      complete(1, 1),
      httpDelete(web, { propagationPolicy: "Foreground" }, { show: ["metadata.finalizers"] }),
      { waitFor: web, until: "gone" },
      { waitForAll: webPodsPath, count: 0 },
      { waitForAll: `${replicaSets}?labelSelector=app%3Dweb`, count: 0 },
    ],
  },
  {
    id: "workload/replicaset",
    title: "a ReplicaSet replaces a pod that is deleted",
    steps: [
      httpPost(replicaSets, webWorkload("ReplicaSet", { replicas: 1 }), { show: [] }),
      { waitFor: `${replicaSets}/web`, until: { "status.availableReplicas": 1, "status.readyReplicas": 1 }, show: ["status"] },
      httpDelete(webPodsPath, undefined, { show: [] }),
      {
        waitFor: `${replicaSets}/web`,
        until: { "status.readyReplicas": 1, "status.availableReplicas": 1, "status.terminatingReplicas": 0 },
        show: ["status"],
      },
    ],
  },
];
