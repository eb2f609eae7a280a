import type { Json } from "../../../src/core/object/index.ts";
import {
  configMap,
  httpDelete,
  httpPost,
  httpPut,
  mergePatch,
  namespacedPath,
  strategicPatch,
  type CaseStep,
  type ConformanceCase,
} from "../conformance-case.ts";

type Fields = { readonly [field: string]: Json };

const podsPath = namespacedPath("v1", "pods");
const tryPath = `${podsPath}?dryRun=All`;
const container = (name: string, resources: Fields = {}) => ({ name, image: "example.com/a", resources });
const pod = (spec: Fields = {}, metadata: Fields = {}) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web", ...metadata },
  spec: { schedulerName: "nobody", containers: [container("a")], ...spec },
});
const shown = { show: ["spec.containers", "spec.initContainers", "metadata.annotations"] };
/** Containers without the token, whose name is random. */
const noToken = { automountServiceAccountToken: false };

const limitRange = (name: string, ...limits: Fields[]) => ({ apiVersion: "v1", kind: "LimitRange", metadata: { name }, spec: { limits } });
const rangesPath = namespacedPath("v1", "limitranges");
const claim = (storage: string) => ({
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name: "data" },
  spec: { storageClassName: "", accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } },
});
const claimsPath = namespacedPath("v1", "persistentvolumeclaims");

/** Pods, or claims, that ranges of limits let in with defaults, or refuse. */
const limitRows: Record<string, { ranges: Json[]; tries: readonly [spec: Fields, expect: 201 | 403][] }> = {
  defaults: {
    ranges: [limitRange("r", { type: "Container", default: { cpu: "2", memory: "1Gi" }, defaultRequest: { cpu: "500m" } })],
    tries: [
      [{}, 201],
      [{ containers: [container("a", { limits: { cpu: "3" } }), container("b", { requests: { memory: "1Mi" } })] }, 201],
      [{ initContainers: [container("i")] }, 201],
    ],
  },
  "max-is-default": {
    ranges: [limitRange("r", { type: "Container", max: { cpu: "1", memory: "1Gi" }, min: { cpu: "100m" } })],
    tries: [
      [{}, 201],
      [{ containers: [container("a", { limits: { cpu: "2" } })] }, 403],
      [{ containers: [container("a", { requests: { cpu: "50m" } })] }, 403],
      [{ containers: [container("a", { requests: { cpu: "50m", memory: "2Gi" }, limits: { cpu: "1", memory: "3Gi" } })] }, 403],
    ],
  },
  pods: {
    ranges: [limitRange("r", { type: "Pod", max: { cpu: "1" }, min: { memory: "1Mi" } })],
    tries: [
      [{}, 403],
      [
        {
          containers: [
            container("a", { limits: { cpu: "600m", memory: "1Mi" } }),
            container("b", { limits: { cpu: "600m", memory: "1Mi" } }),
          ],
        },
        403,
      ],
      [
        {
          containers: [
            container("a", { limits: { cpu: "400m", memory: "1Mi" } }),
            container("b", { limits: { cpu: "600m", memory: "1Mi" } }),
          ],
        },
        201,
      ],
      [
        {
          initContainers: [container("i", { limits: { cpu: "2", memory: "1Mi" } })],
          containers: [container("a", { limits: { cpu: "1", memory: "1Mi" } })],
        },
        403,
      ],
    ],
  },
  ratio: {
    ranges: [
      limitRange("r", { type: "Container", maxLimitRequestRatio: { cpu: "2" } }, { type: "Pod", maxLimitRequestRatio: { memory: "2" } }),
    ],
    tries: [
      [{}, 403],
      [{ containers: [container("a", { requests: { cpu: "100m", memory: "1Mi" }, limits: { cpu: "300m", memory: "3Mi" } })] }, 403],
      [{ containers: [container("a", { requests: { cpu: "100m", memory: "1Mi" }, limits: { cpu: "200m", memory: "2Mi" } })] }, 201],
    ],
  },
  // A real server asks ranges in a random order: only one of them fills in, and each refusal is of one.
  several: {
    ranges: [
      limitRange("a", { type: "Container", default: { cpu: "1" }, max: { "ephemeral-storage": "1Gi" } }),
      limitRange("b", { type: "Pod", max: { memory: "1Gi" } }),
    ],
    tries: [
      [{ containers: [container("a", { limits: { memory: "2Gi" } })] }, 403],
      [{ containers: [container("a", { limits: { memory: "1Mi", "ephemeral-storage": "2Gi" } })] }, 403],
      [{ containers: [container("a", { limits: { memory: "1Mi" } })] }, 201],
    ],
  },
};

const limitCases = Object.entries(limitRows).map(([name, { ranges, tries }]): ConformanceCase => ({
  id: `admission/limits-${name}`,
  title: `limits of a namespace: ${name}`,
  steps: [
    ...ranges.map((body) => httpPost(rangesPath, body, { show: ["spec"] })),
    // A real server reads ranges from its cache: what is tried first shows that all of them are in it.
    ...tries.map(([spec, expect]) =>
      httpPost(tryPath, pod({ ...noToken, ...spec }), { expect, early: expect === 403 ? 201 : 403, ...shown }),
    ),
  ],
}));

const accountsPath = namespacedPath("v1", "serviceaccounts");
const account = (name: string, more: Fields = {}, metadata: Fields = {}) => ({
  apiVersion: "v1",
  kind: "ServiceAccount",
  metadata: { name, ...metadata },
  ...more,
});
const usesSecret = { volumes: [{ name: "s", secret: { secretName: "other" } }] };

const accountSteps: readonly CaseStep[] = [
  httpPost(accountsPath, account("robot", { automountServiceAccountToken: false, imagePullSecrets: [{ name: "pull" }] }), { show: [] }),
  httpPost(
    accountsPath,
    account("strict", { secrets: [{ name: "mine" }] }, { annotations: { "kubernetes.io/enforce-mountable-secrets": "true" } }),
    { show: [] },
  ),
  httpPost(tryPath, pod({ serviceAccountName: "nobody" }), { expect: 403 }),
  httpPost(tryPath, pod({ serviceAccountName: "robot" }), {
    early: 403,
    show: ["spec.serviceAccountName", "spec.serviceAccount", "spec.imagePullSecrets", "spec.volumes"],
  }),
  httpPost(tryPath, pod({ serviceAccount: "robot", imagePullSecrets: [{ name: "own" }] }), {
    show: ["spec.serviceAccountName", "spec.imagePullSecrets"],
  }),
  httpPost(tryPath, pod({ serviceAccount: "default", serviceAccountName: "robot" }), {
    show: ["spec.serviceAccountName", "spec.serviceAccount"],
  }),
  httpPost(tryPath, pod({ serviceAccountName: "strict", ...noToken, ...usesSecret }), { expect: 403, early: 201 }),
  httpPost(tryPath, pod({ serviceAccountName: "strict", ...noToken, imagePullSecrets: [{ name: "other" }] }), { expect: 403 }),
  httpPost(
    tryPath,
    pod({ serviceAccountName: "strict", ...noToken, containers: [{ ...container("a"), envFrom: [{ secretRef: { name: "other" } }] }] }),
    { expect: 403 },
  ),
  httpPost(
    tryPath,
    pod({
      serviceAccountName: "strict",
      ...noToken,
      initContainers: [{ ...container("i"), env: [{ name: "E", valueFrom: { secretKeyRef: { name: "other", key: "k" } } }] }],
    }),
    { expect: 403 },
  ),
  httpPost(tryPath, pod({ serviceAccountName: "strict", ...noToken, volumes: [{ name: "s", secret: { secretName: "mine" } }] }), {
    show: ["spec.volumes"],
  }),
  httpPost(tryPath, pod({ ...noToken, nodeName: "n" }, { annotations: { "kubernetes.io/config.mirror": "x" } }), {
    show: ["spec.serviceAccountName", "spec.volumes"],
  }),
  httpPost(
    tryPath,
    pod({
      containers: [{ ...container("a"), volumeMounts: [{ name: "own", mountPath: "/var/run/secrets/kubernetes.io/serviceaccount" }] }],
      volumes: [{ name: "own", emptyDir: {} }],
    }),
    { show: ["spec.volumes", "spec.containers"] },
  ),
];

const prioritySteps: readonly CaseStep[] = [
  httpPost(tryPath, pod({ priorityClassName: "none-such" }), { expect: 403 }),
  httpPost(tryPath, pod({ priority: 7 }), { expect: 403 }),
  httpPost(tryPath, pod({ priority: 0 }), { show: ["spec.priority", "spec.preemptionPolicy", "spec.priorityClassName"] }),
  httpPost(tryPath, pod({ preemptionPolicy: "Never" }), { expect: 403 }),
  httpPost(tryPath, pod({ priorityClassName: "system-node-critical" }), { show: ["spec.priority", "spec.preemptionPolicy"] }),
  httpPost(
    "/apis/scheduling.k8s.io/v1/priorityclasses",
    { apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", metadata: { name: "{ns}-high" }, value: 1000, preemptionPolicy: "Never" },
    { show: ["value"] },
  ),
  httpPost(tryPath, pod({ priorityClassName: "{ns}-high", priority: 1000 }), {
    early: 403,
    show: ["spec.priority", "spec.preemptionPolicy"],
  }),
  httpPost(tryPath, pod({ priorityClassName: "{ns}-high", priority: 999 }), { expect: 403 }),
  httpPost(tryPath, pod({ priorityClassName: "{ns}-high", preemptionPolicy: "PreemptLowerPriority" }), { expect: 403 }),
  httpPost(
    "/apis/scheduling.k8s.io/v1/priorityclasses",
    { apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", metadata: { name: "system-{ns}" }, value: 2_000_000_000 },
    { expect: 422 },
  ),
  httpPost(podsPath, pod({ priorityClassName: "{ns}-high" }), { show: ["spec.priority"] }),
  mergePatch(`${podsPath}/web`, { spec: { priority: 5 } }, { expect: 422, show: ["reason", "code"] }),
  mergePatch("/apis/scheduling.k8s.io/v1/priorityclasses/{ns}-high", { value: 5 }, { expect: 422 }),
  httpDelete("/apis/scheduling.k8s.io/v1/priorityclasses/{ns}-high", undefined, { show: [] }),
];

const held = configMap("held", {}, { finalizers: ["example.com/held"] });
const heldPath = "/api/v1/namespaces/{ns}-t/configmaps";
const lifecycleSteps: readonly CaseStep[] = [
  httpPost("/api/v1/namespaces/none-such/configmaps", configMap("x"), { expect: 404 }),
  ...["default", "kube-system", "kube-public"].map((name) =>
    httpDelete(`/api/v1/namespaces/${name}?dryRun=All`, undefined, { expect: 403 }),
  ),
  httpPost("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: "{ns}-t" } }, { show: [] }),
  httpPost(heldPath, held, { show: [] }),
  httpDelete("/api/v1/namespaces/{ns}-t", undefined, { show: ["status.phase"] }),
  httpPost(`${heldPath}?dryRun=All`, configMap("new"), { expect: 403, early: 201 }),
  mergePatch(`${heldPath}/held`, { data: { a: "1" } }, { show: ["data"] }),
  httpPut(`${heldPath}/held`, configMap("held"), { show: ["data"] }),
];

/** The plugins that every API server has. */
export const admissionCases: readonly ConformanceCase[] = [
  ...limitCases,
  {
    id: "admission/limits-update",
    title: "limits do not count for a pod that is there",
    steps: [
      httpPost(podsPath, pod(noToken), { show: [] }),
      httpPost(rangesPath, limitRange("r", { type: "Container", max: { cpu: "1" }, default: { cpu: "1" } }), { show: [] }),
      mergePatch(`${podsPath}/web`, { metadata: { labels: { a: "b" } } }, { show: ["metadata.labels"] }),
      strategicPatch(
        `${podsPath}/web/ephemeralcontainers`,
        { spec: { ephemeralContainers: [{ name: "d", image: "example.com/d" }] } },
        { show: ["spec.ephemeralContainers"] },
      ),
    ],
  },
  {
    id: "admission/limits-claims",
    title: "claims have limits of their own",
    steps: [
      httpPost(rangesPath, limitRange("r", { type: "PersistentVolumeClaim", min: { storage: "1Gi" }, max: { storage: "2Gi" } }), {
        show: [],
      }),
      httpPost(`${claimsPath}?dryRun=All`, claim("1Mi"), { expect: 403, early: 201 }),
      httpPost(`${claimsPath}?dryRun=All`, claim("3Gi"), { expect: 403 }),
      httpPost(claimsPath, claim("1Gi"), { show: ["spec", "metadata.finalizers"] }),
    ],
  },
  { id: "admission/service-account", title: "what a service account gives a pod, and forbids it", steps: accountSteps },
  { id: "admission/priority", title: "the priority of a pod comes from its class", steps: prioritySteps },
  { id: "admission/namespace-lifecycle", title: "what may be written where a namespace is absent or going", steps: lifecycleSteps },
];
