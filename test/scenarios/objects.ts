/** Builders for the objects of scenarios. Both clusters know the images, which are those of the conformance suite. */
import type { KubeObject } from "../../src/core/object/index.ts";

type Annotations = Readonly<Record<string, string>>;

/** Starts at once and keeps running. */
export const quick = "example.com/app:1";
/** Is ready after two seconds. */
export const slow = "example.com/slow:1";
/** A Job with it completes at once. */
const done = "example.com/done:1";
/** A Job with it takes two seconds. */
export const brief = "example.com/brief:1";
/** A Job with it fails. */
export const failing = "example.com/fail:1";
export const missing = "example.com/missing:1";
export const crashing = "example.com/crash:1";
/** Crashes once and then keeps running. */
export const flaky = "example.com/flaky:1";
export const neverReady = "example.com/never-ready:1";

/** `more` has further fields; its `metadata` is merged. */
export function makeObject(apiVersion: string, kind: string, name: string, annotations: Annotations = {}, more: object = {}): KubeObject {
  const { metadata = {}, ...fields } = more as { metadata?: object };
  // An empty map would be a field that its manager owns.
  const said = Object.keys(annotations).length === 0 ? {} : { annotations };
  return { apiVersion, kind, metadata: { name, ...said, ...metadata }, ...fields };
}

export const makeConfigMap = (name: string, annotations: Annotations = {}, data: Readonly<Record<string, string>> = {}): KubeObject =>
  makeObject("v1", "ConfigMap", name, annotations, { data });

/** A ConfigMap that becomes ready by `markFinished`. */
export const makeAwaitedConfigMap = (name: string, annotations: Annotations = {}): KubeObject =>
  makeObject("v1", "ConfigMap", name, { "sluice.dev/health": "has(self.data) && has(self.data.finished)", ...annotations });

export const makeSecret = (name: string, annotations: Annotations = {}, metadata: object = {}): KubeObject =>
  makeObject("v1", "Secret", name, annotations, { metadata });

export const makeServiceAccount = (name: string, annotations: Annotations = {}, more: object = {}): KubeObject =>
  makeObject("v1", "ServiceAccount", name, annotations, more);

export const makeRoleBinding = (name: string, role: string, annotations: Annotations = {}): KubeObject => {
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: role };
  return makeObject("rbac.authorization.k8s.io/v1", "RoleBinding", name, annotations, { roleRef, subjects: [] });
};

export const makeNamespace = (name: string, annotations: Annotations = {}): KubeObject => makeObject("v1", "Namespace", name, annotations);

export const makeService = (name: string, annotations: Annotations = {}, spec: object = {}): KubeObject =>
  makeObject("v1", "Service", name, annotations, { spec: { selector: { app: name }, ports: [{ port: 80, name: "http" }], ...spec } });

export const makeVolumeClaim = (name: string, annotations: Annotations = {}): KubeObject =>
  makeObject("v1", "PersistentVolumeClaim", name, annotations, {
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  });

export const makeWidgetCrd = (annotations: Annotations = {}, group = "$NS.example.com", kind = "Widget"): KubeObject => {
  const plural = `${kind.toLowerCase()}s`;
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  return makeObject("apiextensions.k8s.io/v1", "CustomResourceDefinition", `${plural}.${group}`, annotations, {
    spec: {
      group,
      scope: "Namespaced",
      names: { plural, singular: kind.toLowerCase(), kind },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  });
};

export const widgetKind = { group: "$NS.example.com", version: "v1", kind: "Widget" };

export const makeWidget = (name: string, annotations: Annotations = {}, more: object = {}): KubeObject =>
  makeObject("$NS.example.com/v1", "Widget", name, annotations, more);

/** A pod template: one container, with overrides. */
type PodOptions = { readonly image?: string; readonly container?: object; readonly pod?: object; readonly spec?: object };

function template(labels: object, { image = quick, container = {}, pod = {} }: PodOptions): object {
  return { metadata: { labels }, spec: { containers: [{ name: "main", image, ...container }], terminationGracePeriodSeconds: 1, ...pod } };
}

function workload(kind: string, name: string, annotations: Annotations, pods: PodOptions, extra: object = {}): KubeObject {
  const labels = { app: name };
  return makeObject("apps/v1", kind, name, annotations, {
    spec: { selector: { matchLabels: labels }, template: template(labels, pods), ...extra, ...pods.spec },
  });
}

export const makeDeployment = (name: string, annotations: Annotations = {}, pods: PodOptions = {}): KubeObject =>
  workload("Deployment", name, annotations, pods);

export const makeStatefulSet = (name: string, annotations: Annotations = {}, pods: PodOptions = {}): KubeObject =>
  workload("StatefulSet", name, annotations, pods, { serviceName: name });

export const makeDaemonSet = (name: string, annotations: Annotations = {}, pods: PodOptions = {}): KubeObject =>
  workload("DaemonSet", name, annotations, pods);

export const makeJob = (name: string, annotations: Annotations = {}, { image = done, spec = {}, ...pods }: PodOptions = {}): KubeObject =>
  makeObject("batch/v1", "Job", name, annotations, {
    spec: { backoffLimit: 0, template: template({}, { ...pods, image, pod: { restartPolicy: "Never", ...pods.pod } }), ...spec },
  });

export const makePod = (
  name: string,
  annotations: Annotations = {},
  { image = quick }: PodOptions = {},
  labels: Annotations = {},
): KubeObject =>
  makeObject("v1", "Pod", name, annotations, {
    metadata: { labels },
    spec: { containers: [{ name: "main", image }], terminationGracePeriodSeconds: 1 },
  });

/** The annotations of a Helm hook. */
export const hook = (events: string, weight = "0", policy?: string) => ({
  "helm.sh/hook": events,
  "helm.sh/hook-weight": weight,
  ...(policy === undefined ? {} : { "helm.sh/hook-delete-policy": policy }),
});
