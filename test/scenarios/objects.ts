/** Objects that scenarios deploy, short to write. Images are those of the conformance suite, which both clusters know. */
import type { KubeObject } from "../../src/core/object/index.ts";

type Annotations = Readonly<Record<string, string>>;

/** Starts at once and runs on. */
export const quick = "example.com/app:1";
/** Is ready after two seconds. */
export const slow = "example.com/slow:1";
/** A Job's that is complete at once. */
export const done = "example.com/done:1";
/** A Job's that takes two seconds. */
export const brief = "example.com/brief:1";
/** A Job's that fails. */
export const failing = "example.com/fail:1";
export const missing = "example.com/missing:1";
export const crashing = "example.com/crash:1";
/** Crashes once and runs on. */
export const flaky = "example.com/flaky:1";
export const neverReady = "example.com/never-ready:1";

/** `more` has the fields beside metadata; `metadata` in it is merged. */
export function object(apiVersion: string, kind: string, name: string, annotations: Annotations = {}, more: object = {}): KubeObject {
  const { metadata = {}, ...fields } = more as { metadata?: object };
  // An empty map would be a field that its writer owns.
  const said = Object.keys(annotations).length === 0 ? {} : { annotations };
  return { apiVersion, kind, metadata: { name, ...said, ...metadata }, ...fields };
}

export const configMap = (name: string, annotations: Annotations = {}, data: Readonly<Record<string, string>> = {}): KubeObject =>
  object("v1", "ConfigMap", name, annotations, { data });

/** A ConfigMap that is ready when somebody has said so: see `finish`. */
export const awaited = (name: string, annotations: Annotations = {}): KubeObject =>
  object("v1", "ConfigMap", name, { "sluice.dev/health": "has(self.data) && has(self.data.finished)", ...annotations });

export const secret = (name: string, annotations: Annotations = {}, metadata: object = {}): KubeObject =>
  object("v1", "Secret", name, annotations, { metadata });

export const serviceAccount = (name: string, annotations: Annotations = {}, more: object = {}): KubeObject =>
  object("v1", "ServiceAccount", name, annotations, more);

export const namespace = (name: string, annotations: Annotations = {}): KubeObject => object("v1", "Namespace", name, annotations);

export const service = (name: string, annotations: Annotations = {}, spec: object = {}): KubeObject =>
  object("v1", "Service", name, annotations, { spec: { selector: { app: name }, ports: [{ port: 80, name: "http" }], ...spec } });

export const claim = (name: string, annotations: Annotations = {}): KubeObject =>
  object("v1", "PersistentVolumeClaim", name, annotations, {
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  });

export const definition = (annotations: Annotations = {}, group = "$NS.example.com", kind = "Widget"): KubeObject => {
  const plural = `${kind.toLowerCase()}s`;
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  return object("apiextensions.k8s.io/v1", "CustomResourceDefinition", `${plural}.${group}`, annotations, {
    spec: {
      group,
      scope: "Namespaced",
      names: { plural, singular: kind.toLowerCase(), kind },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  });
};

export const widgets = { group: "$NS.example.com", version: "v1", kind: "Widget" };

export const widget = (name: string, annotations: Annotations = {}, more: object = {}): KubeObject =>
  object("$NS.example.com/v1", "Widget", name, annotations, more);

/** A pod template's spec: one container, or what `more` says. */
export type PodSpec = { readonly image?: string; readonly container?: object; readonly pod?: object; readonly spec?: object };

function template(labels: object, { image = quick, container = {}, pod = {} }: PodSpec): object {
  return { metadata: { labels }, spec: { containers: [{ name: "main", image, ...container }], terminationGracePeriodSeconds: 1, ...pod } };
}

function workload(kind: string, name: string, annotations: Annotations, pods: PodSpec, extra: object = {}): KubeObject {
  const labels = { app: name };
  return object("apps/v1", kind, name, annotations, {
    spec: { selector: { matchLabels: labels }, template: template(labels, pods), ...extra, ...pods.spec },
  });
}

export const deployment = (name: string, annotations: Annotations = {}, pods: PodSpec = {}): KubeObject =>
  workload("Deployment", name, annotations, pods);

export const statefulSet = (name: string, annotations: Annotations = {}, pods: PodSpec = {}): KubeObject =>
  workload("StatefulSet", name, annotations, pods, { serviceName: name });

export const daemonSet = (name: string, annotations: Annotations = {}, pods: PodSpec = {}): KubeObject =>
  workload("DaemonSet", name, annotations, pods);

export const job = (name: string, annotations: Annotations = {}, { image = done, spec = {}, ...pods }: PodSpec = {}): KubeObject =>
  object("batch/v1", "Job", name, annotations, {
    spec: { backoffLimit: 0, template: template({}, { ...pods, image, pod: { restartPolicy: "Never", ...pods.pod } }), ...spec },
  });

export const pod = (name: string, annotations: Annotations = {}, { image = quick }: PodSpec = {}, labels: Annotations = {}): KubeObject =>
  object("v1", "Pod", name, annotations, {
    metadata: { labels },
    spec: { containers: [{ name: "main", image }], terminationGracePeriodSeconds: 1 },
  });
