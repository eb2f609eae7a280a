import type { Json } from "../../../src/core/object/index.ts";
import {
  httpDelete,
  httpGet,
  httpPost,
  httpPut,
  mergePatch,
  strategicPatch,
  type CaseStep,
  type ConformanceCase,
} from "../conformance-case.ts";
import { checkedPods, container, harmless, pod } from "./pod-security-pods.ts";

type Fields = { readonly [field: string]: Json };

const prefix = "pod-security.kubernetes.io/";
const labels = (modes: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(modes).map(([mode, value]) => [`${prefix}${mode}`, value]));

/** A namespace of the case's own. It is made with its labels, so that no server can have seen it without them. */
const spaceName = (suffix: string) => `{ns}-${suffix}`;
const space = (suffix: string, modes: Readonly<Record<string, string>>) => ({
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name: spaceName(suffix), labels: labels(modes) },
});
const makeSpace = (suffix: string, modes: Readonly<Record<string, string>>) =>
  httpPost("/api/v1/namespaces", space(suffix, modes), { show: [] });
const removeSpace = (suffix: string) => httpDelete(`/api/v1/namespaces/${spaceName(suffix)}`, undefined, { show: [] });
const pathIn = (suffix: string, resource: string, apiVersion = "v1") =>
  `${apiVersion.includes("/") ? "/apis" : "/api"}/${apiVersion}/namespaces/${spaceName(suffix)}/${resource}`;

const tryPod = (suffix: string, body: Json, expect: 201 | 403) =>
  httpPost(`${pathIn(suffix, "pods")}?dryRun=All`, body, { expect, show: [] });

const checkCases = Object.entries(checkedPods).map(([name, rows]): ConformanceCase => ({
  id: `pod-security/check-${name}`,
  title: `what levels baseline and restricted make of a pod: ${name}`,
  steps: [
    makeSpace("b", { enforce: "baseline" }),
    makeSpace("r", { enforce: "restricted", warn: "privileged" }),
    ...rows.flatMap(([body, baseline, restricted]) => [tryPod("b", body, baseline), tryPod("r", body, restricted)]),
    removeSpace("b"),
    removeSpace("r"),
  ],
}));

const template = (spec: Fields) => ({ metadata: { labels: { app: "web" } }, spec: { containers: [harmless], ...spec } });
const bad = { hostPID: true, containers: [{ name: "a", image: "example.com/a" }] };
const workload = (apiVersion: string, kind: string, spec: Json, more: Fields = {}) => ({
  apiVersion,
  kind,
  metadata: { name: "web" },
  spec,
  ...more,
});
const selector = { matchLabels: { app: "web" } };
const oneShot = template({ ...bad, restartPolicy: "Never" });
const workloads: Record<string, readonly [apiVersion: string, body: Json]> = {
  deployments: ["apps/v1", workload("apps/v1", "Deployment", { selector, template: template(bad) })],
  replicasets: ["apps/v1", workload("apps/v1", "ReplicaSet", { selector, template: template(bad) })],
  statefulsets: ["apps/v1", workload("apps/v1", "StatefulSet", { selector, serviceName: "s", template: template(bad) })],
  daemonsets: ["apps/v1", workload("apps/v1", "DaemonSet", { selector, template: template(bad) })],
  jobs: ["batch/v1", workload("batch/v1", "Job", { template: oneShot })],
  cronjobs: ["batch/v1", workload("batch/v1", "CronJob", { schedule: "* * * * *", jobTemplate: { spec: { template: oneShot } } })],
  replicationcontrollers: ["v1", workload("v1", "ReplicationController", { selector: { app: "web" }, template: template(bad) })],
  podtemplates: ["v1", { apiVersion: "v1", kind: "PodTemplate", metadata: { name: "web" }, template: template(bad) }],
};

const workloadCases = Object.entries(workloads).map(([resource, [apiVersion, body]]): ConformanceCase => ({
  id: `pod-security/template-${resource}`,
  title: `${resource} are let in with a warning of what their pods would violate`,
  steps: [
    makeSpace("w", { enforce: "baseline", warn: "restricted", "warn-version": "v1.24" }),
    httpPost(`${pathIn("w", resource, apiVersion)}?dryRun=All`, body, { show: [] }),
    removeSpace("w"),
  ],
}));

const versions = ["v1.0", "v1.18", "v1.19", "v1.25", "v1.31", "v1.99", "latest"];
const ageing = pod({
  hostUsers: false,
  securityContext: { sysctls: [{ name: "net.ipv4.tcp_fin_timeout", value: "1" }] },
  containers: [
    container({ procMount: "Unmasked", seccompProfile: { type: "Unconfined" } }, { livenessProbe: { tcpSocket: { port: 80, host: "h" } } }),
  ],
});

const created = (name: string) => ({ ...pod({ containers: [{ name: "a", image: "example.com/a" }] }), metadata: { name } });
const badLabels = { enforce: "strict", "enforce-version": "1.2", audit: "x", "audit-version": "v2.0", warn: "", "warn-version": "v1.01" };
const patchSpace = (suffix: string, body: Json, more: object = {}) =>
  mergePatch(`/api/v1/namespaces/${spaceName(suffix)}`, body, { show: ["metadata.labels"], ...more });

/**
 * The real plugin lists pods by an informer, which may not have seen a pod that was created a moment ago. It sees pods in the order
 * in which they were created: a dry run that warns of the last one is the sign that it has seen all.
 */
const waitForPod = (suffix: string, enforce: string, name: string) =>
  mergePatch(`/api/v1/namespaces/${spaceName(suffix)}?dryRun=All`, relabel({ enforce }), { show: [], untilWarned: `"${name}: ` });
const relabel = (modes: Readonly<Record<string, string | null>>) => ({
  metadata: { labels: Object.fromEntries(Object.entries(modes).map(([mode, value]) => [`${prefix}${mode}`, value])) },
});

/**
 * The real server first tries an update on what its watch cache holds. When that is outdated it tries again, and answers with the
 * warnings of both tries. A read at version 0 is answered by the same cache.
 */
const waitForCache = (suffix: string, modes: Readonly<Record<string, string>>) =>
  httpGet(`/api/v1/namespaces/${spaceName(suffix)}?resourceVersion=0`, {
    show: [],
    until: Object.fromEntries(
      Object.entries(modes).map(([mode, value]) => [`metadata.labels.${prefix.replaceAll(".", "\\.")}${mode}`, value]),
    ),
  });
const debugContainer = (context: Fields) => ({
  spec: { ephemeralContainers: [{ name: "debugger", image: "example.com/d", securityContext: context }] },
});

const namespaceSteps: readonly CaseStep[] = [
  httpPost("/api/v1/namespaces", space("x", badLabels), { expect: 422 }),
  makeSpace("x", {}),
  patchSpace("x", relabel(badLabels), { expect: 422 }),
  patchSpace("x", relabel({ enforce: "baseline", "enforce-version": "v1.20" })),
  patchSpace("x", relabel({ enforce: "none" }), { expect: 422 }),
  patchSpace("x", relabel({ enforce: null, "enforce-version": "v1.x" }), { expect: 422 }),
  removeSpace("x"),
];

/** Steps on a namespace with three pods that break level restricted. */
const existingSteps: readonly CaseStep[] = [
  makeSpace("e", {}),
  ...["c", "b", "a"].map((name) => httpPost(pathIn("e", "pods"), created(name), { show: [] })),
  httpPost(pathIn("e", "pods"), { ...pod({ hostPID: true }), metadata: { name: "d" } }, { show: [] }),
  httpPost(pathIn("e", "pods"), { ...pod({}), metadata: { name: "e" } }, { show: [] }),
  waitForPod("e", "baseline", "d"),
  patchSpace("e", relabel({ enforce: "baseline" })),
  waitForCache("e", { enforce: "baseline" }),
  patchSpace("e", relabel({ enforce: "restricted" })),
  waitForCache("e", { enforce: "restricted" }),
  patchSpace("e", relabel({ enforce: "restricted" })),
  patchSpace("e", relabel({ "enforce-version": "v1.20" })),
  waitForCache("e", { "enforce-version": "v1.20" }),
  patchSpace("e", relabel({ enforce: "baseline" })),
  waitForCache("e", { enforce: "baseline" }),
  patchSpace("e", relabel({ enforce: "privileged" })),
  removeSpace("e"),
];

const updateSteps: readonly CaseStep[] = [
  makeSpace("u", {}),
  httpPost(pathIn("u", "pods"), created("web"), { show: [] }),
  waitForPod("u", "restricted", "web"),
  patchSpace("u", relabel({ enforce: "restricted" }), { show: [] }),
  httpPost(`${pathIn("u", "pods")}?dryRun=All`, created("other"), { expect: 403, early: 201 }),
  mergePatch(pathIn("u", "pods/web"), { metadata: { labels: { a: "b" } } }, { show: ["metadata.labels"] }),
  strategicPatch(pathIn("u", "pods/web"), { spec: { containers: [{ name: "a", image: "example.com/b" }] } }, { expect: 403 }),
  mergePatch(pathIn("u", "pods/web/status"), { status: { phase: "Running" } }, { show: ["status.phase"] }),
  httpPost(pathIn("u", "pods"), { ...pod({}), metadata: { name: "good" } }, { show: [] }),
  strategicPatch(pathIn("u", "pods/good/ephemeralcontainers"), debugContainer({}), { expect: 403 }),
  strategicPatch(pathIn("u", "pods/good/ephemeralcontainers"), debugContainer(harmless.securityContext), {
    show: ["spec.ephemeralContainers"],
  }),
  strategicPatch(
    pathIn("u", "pods/good"),
    { spec: { containers: [{ name: "a", image: "example.com/b" }] } },
    { show: ["spec.containers"] },
  ),
  removeSpace("u"),
];

const warnSteps: readonly CaseStep[] = [
  makeSpace("w", { warn: "restricted", audit: "restricted" }),
  httpPost(pathIn("w", "pods"), created("web"), { show: [] }),
  strategicPatch(pathIn("w", "pods/web/ephemeralcontainers"), debugContainer({ privileged: true }), { show: [] }),
  mergePatch(pathIn("w", "pods/web"), { metadata: { labels: { a: "b" } } }, { show: [] }),
  httpPut(pathIn("w", "pods/web"), created("web"), { expect: 422, show: [] }),
  removeSpace("w"),
];

/** PodSecurity admission. */
export const podSecurityCases: readonly ConformanceCase[] = [
  ...checkCases,
  ...workloadCases,
  {
    id: "pod-security/versions",
    title: "each version of a level has its own checks",
    steps: versions.flatMap((version, index) => [
      makeSpace(`v${index}`, { enforce: "restricted", "enforce-version": version, warn: "privileged" }),
      tryPod(`v${index}`, ageing, 403),
      removeSpace(`v${index}`),
    ]),
  },
  { id: "pod-security/labels", title: "labels of a namespace that mean nothing are refused, each by name", steps: namespaceSteps },
  { id: "pod-security/existing", title: "a stricter level warns of the pods that are there, those alike together", steps: existingSteps },
  { id: "pod-security/update", title: "an update counts when it changes an image or adds an ephemeral container", steps: updateSteps },
  { id: "pod-security/warn", title: "what is only warned of is let in", steps: warnSteps },
];
