import type { Json } from "../../../src/core/object/index.ts";
import { httpGet, namespacedPath, mergePatch, httpPost, httpDelete, strategicPatch, type ConformanceCase } from "../conformance-case.ts";

const pods = namespacedPath("v1", "pods");
const quotas = namespacedPath("v1", "resourcequotas");
const pod = (name: string, spec: { readonly [field: string]: Json } = {}, image = "good:1") => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name },
  spec: { containers: [{ name: "c", image: `example.com/${image}` }], ...spec },
});
const claims = namespacedPath("v1", "persistentvolumeclaims");
const claim = (name: string, spec: { readonly [field: string]: Json } = {}) => ({
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, ...spec },
});
const state = [
  "status.phase",
  "status.containerStatuses.0.state.waiting.reason",
  "status.containerStatuses.0.state.terminated.exitCode",
  "status.containerStatuses.0.restartCount",
];

/** Pods without a controller: their claims, what admission changes in them, and quotas. */
export const podCases: readonly ConformanceCase[] = [
  {
    id: "pod/admission",
    title: "admission writes a service account, tolerations, a priority and a token volume",
    steps: [
      httpPost(`${pods}?dryRun=All&fieldManager=one`, pod("a")),
      httpPost(
        `${pods}?dryRun=All`,
        pod("b", {
          automountServiceAccountToken: false,
          tolerations: [{ key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute", tolerationSeconds: 5 }],
        }),
        { show: ["spec"] },
      ),
      httpPost(`${pods}?dryRun=All`, pod("c", { priorityClassName: "system-node-critical" }), {
        show: ["spec.priority", "spec.priorityClassName", "spec.preemptionPolicy"],
      }),
      httpPost(`${pods}?dryRun=All`, pod("d", { priorityClassName: "nobody" }), { expect: 403 }),
      httpPost(`${pods}?dryRun=All`, pod("e", { serviceAccountName: "nobody" }), { expect: 403 }),
    ],
  },
  {
    id: "pod/running",
    title: "a pod starts and becomes ready",
    steps: [
      httpPost(pods, pod("a"), { show: ["status"] }),
      {
        waitFor: `${pods}/a`,
        until: { "condition:Ready": "True" },
        show: [
          ...state,
          "status.conditions",
          "status.containerStatuses.0.ready",
          "status.containerStatuses.0.started",
          "status.containerStatuses.0.name",
          "status.containerStatuses.0.image",
          "status.qosClass",
        ],
      },
    ],
  },
  {
    id: "pod/life",
    title: "the phases of a pod that ends well, as a watch sees them",
    steps: [
      httpGet(pods, { capture: { rv: "metadata.resourceVersion" }, show: [] }),
      { watch: `${pods}?watch=true&resourceVersion={rv}`, name: "w" },
      httpPost(pods, pod("a", { restartPolicy: "Never" }, "brief:1"), { show: [] }),
      { events: "w", until: { type: "MODIFIED", is: { "status.phase": "Succeeded" } }, show: ["status.phase"], coalesce: true },
    ],
  },
  {
    id: "pod/failed",
    title: "a pod that ends badly has failed, with its exit code",
    steps: [
      httpPost(pods, pod("a", { restartPolicy: "Never" }, "fail:1"), { show: [] }),
      { waitFor: `${pods}/a`, until: { "status.phase": "Failed" }, show: state },
    ],
  },
  {
    id: "pod/image",
    title: "an image that is not there",
    steps: [
      httpPost(pods, pod("a", {}, "missing:1"), { show: [] }),
      {
        waitFor: `${pods}/a`,
        until: { "status.containerStatuses.0.state.waiting.reason": "ImagePullBackOff" },
        show: [...state, "status.conditions"],
      },
    ],
  },
  {
    id: "pod/init-containers",
    title: "init containers run first",
    steps: [
      httpPost(pods, pod("a", { initContainers: [{ name: "i", image: "example.com/done:1" }] }), { show: [] }),
      {
        waitFor: `${pods}/a`,
        until: { "condition:Ready": "True" },
        show: [
          "status.phase",
          "status.initContainerStatuses.0.state.terminated.exitCode",
          "status.initContainerStatuses.0.ready",
          "status.containerStatuses.0.ready",
        ],
      },
    ],
  },
  {
    id: "pod/graceful-deletion",
    title: "a running pod terminates gracefully, and then is gone",
    steps: [
      httpPost(pods, pod("a"), { show: [] }),
      { waitFor: `${pods}/a`, until: { "condition:Ready": "True" }, show: ["status.phase"] },
      httpDelete(`${pods}/a`, undefined, { show: ["metadata.deletionTimestamp", "metadata.deletionGracePeriodSeconds", "status.phase"] }),
      { waitFor: `${pods}/a`, until: "gone" },
    ],
  },
  {
    id: "pod/immediate-deletion",
    title: "a pod without a node, or without grace, goes at once",
    steps: [
      httpPost(pods, pod("a", { nodeSelector: { no: "where" } }), { show: [] }),
      httpDelete(`${pods}/a`, undefined, { show: ["metadata.deletionGracePeriodSeconds"] }),
      { waitFor: `${pods}/a`, until: "gone" },
      httpPost(pods, pod("b"), { show: [] }),
      { waitFor: `${pods}/b`, until: { "condition:Ready": "True" }, show: ["status.phase"] },
      httpDelete(`${pods}/b`, { gracePeriodSeconds: 0 }, { show: ["metadata.deletionGracePeriodSeconds"] }),
      httpGet(`${pods}/b`, { expect: 404 }),
    ],
  },
  {
    id: "pod/immutable",
    title: "of a pod only images and few other fields can change",
    steps: [
      httpPost(pods, pod("a", { nodeSelector: { no: "where" } }), { show: [] }),
      mergePatch(`${pods}/a`, { spec: { terminationGracePeriodSeconds: 5 } }, { expect: 422 }),
      strategicPatch(
        `${pods}/a`,
        { spec: { containers: [{ name: "c", image: "example.com/good:2" }] } },
        { show: ["spec.containers.0.image", "metadata.generation"] },
      ),
    ],
  },
  {
    id: "pod/logs",
    title: "the logs of a pod",
    steps: [
      httpPost(pods, pod("a", {}, "talks:1"), { show: [] }),
      { waitFor: `${pods}/a`, until: { "condition:Ready": "True" }, show: ["status.phase"] },
      httpGet(`${pods}/a/log`),
      httpGet(`${pods}/a/log?tailLines=1`),
      httpGet(`${pods}/a/log?container=nobody`, { expect: 400 }),
      httpGet(`${pods}/zz/log`, { expect: 404 }),
    ],
  },
  {
    id: "pod/logs-waiting",
    title: "a pod that has not started has no logs",
    steps: [
      httpPost(pods, pod("a", { nodeSelector: { no: "where" } }), { show: [] }),
      httpGet(`${pods}/a/log?tailLines=-1`, { expect: 422 }),
      { waitFor: `${pods}/a`, until: { "condition:PodScheduled": "False" }, show: ["status.phase"] },
    ],
  },
  {
    id: "pod/binding",
    title: "a claim is bound to a volume of its class",
    steps: [
      httpPost(claims, claim("a", { storageClassName: "standard" }), { show: ["spec", "status", "metadata.finalizers"] }),
      {
        waitFor: `${claims}/a`,
        until: { "status.phase": "Bound" },
        capture: { volume: "spec.volumeName" },
        show: ["status", "metadata.finalizers", "spec.storageClassName"],
      },
      httpGet("/api/v1/persistentvolumes/{volume}", {
        show: [
          "spec.claimRef.kind",
          "spec.claimRef.name",
          "spec.capacity",
          "spec.accessModes",
          "spec.persistentVolumeReclaimPolicy",
          "spec.storageClassName",
          "status.phase",
        ],
      }),
    ],
  },
  {
    id: "pod/default-class",
    title: "a claim without a class gets the default one",
    steps: [
      httpPost(claims, claim("a"), { show: ["spec"] }),
      { waitFor: `${claims}/a`, until: { "status.phase": "Bound" }, show: ["status.phase"] },
    ],
  },
  {
    id: "pod/unbound",
    title: "a claim without a provisioner stays pending",
    steps: [
      httpPost(claims, claim("a", { storageClassName: "" }), { show: ["spec", "status"] }),
      mergePatch(`${claims}/a`, { spec: { accessModes: ["ReadWriteMany"] } }, { expect: 422 }),
    ],
  },
  {
    id: "pod/claim-protection",
    title: "a claim in use goes when the pod that uses it is gone",
    steps: [
      httpPost(claims, claim("a", { storageClassName: "standard" }), { show: [] }),
      httpPost(pods, pod("user", { volumes: [{ name: "v", persistentVolumeClaim: { claimName: "a" } }] }), { show: [] }),
      { waitFor: `${pods}/user`, until: { "condition:Ready": "True" }, show: ["status.phase"] },
      httpDelete(`${claims}/a`, undefined, { show: ["metadata.finalizers", "metadata.deletionGracePeriodSeconds"] }),
      httpGet(`${claims}/a`, { show: ["metadata.finalizers"] }),
      httpDelete(`${pods}/user`, { gracePeriodSeconds: 0 }, { show: [] }),
      { waitFor: `${claims}/a`, until: "gone" },
    ],
  },
  {
    id: "pod/quota",
    title: "a quota counts objects and requests, and refuses what goes beyond",
    steps: [
      httpPost(
        quotas,
        {
          apiVersion: "v1",
          kind: "ResourceQuota",
          metadata: { name: "q" },
          spec: { hard: { pods: "2", "requests.cpu": "1", "count/secrets": "1" } },
        },
        { show: ["spec"] },
      ),
      { waitFor: `${quotas}/q`, until: { "status.hard.pods": "2" }, show: ["status"] },
      // A real server asks a cache, which may not have the quota yet: a pod without requests is let in for so long.
      httpPost(`${pods}?dryRun=All`, pod("none"), { expect: 403, early: 201 }),
      // Before any pod: what the controller counts when a pod changes may be older than what admission has counted.
      httpPost(namespacedPath("v1", "secrets"), { apiVersion: "v1", kind: "Secret", metadata: { name: "one" } }, { show: [] }),
      httpPost(namespacedPath("v1", "secrets"), { apiVersion: "v1", kind: "Secret", metadata: { name: "two" } }, { expect: 403 }),
      httpPost(
        pods,
        { ...pod("a"), spec: { containers: [{ name: "c", image: "example.com/good:1", resources: { requests: { cpu: "600m" } } }] } },
        { show: [] },
      ),
      { waitFor: `${quotas}/q`, until: { "status.used.pods": "1" }, show: ["status"] },
      httpPost(
        pods,
        { ...pod("b"), spec: { containers: [{ name: "c", image: "example.com/good:1", resources: { requests: { cpu: "600m" } } }] } },
        { expect: 403 },
      ),
      httpDelete(`${pods}/a`, { gracePeriodSeconds: 0 }, { show: [] }),
      { waitFor: `${quotas}/q`, until: { "status.used.pods": "0" }, show: ["status"] },
    ],
  },
];
