/** Builders of EventSources, triggers, profiles and their content. */
import { gvkOf, type KindName } from "../../src/sveltos/api/index.ts";
import { apiVersionOf, type Fields, type KubeObject, type ObjectRef } from "../../src/core/object/index.ts";

const fv = { matchLabels: { env: "fv" } };
/** Has content rendered with the event. */
export const instantiateAnnotations = { "projectsveltos.io/instantiate": "ok" };
/** Has content rendered when it is deployed. */
export const templateAnnotations = { "projectsveltos.io/template": "ok" };

/** An object of a cluster-scoped Sveltos kind. */
export function sveltosObject(kind: KindName, name: string, spec: Fields, metadata: Fields = {}): KubeObject {
  return { apiVersion: apiVersionOf(gvkOf(kind)), kind, metadata: { name, ...metadata }, spec } as KubeObject;
}

export function sveltosRef(kind: KindName, name: string, namespace = ""): ObjectRef {
  return { ...gvkOf(kind), namespace, name };
}

/** A selector of Services by default. */
export const serviceSelector = (more: Fields = {}): Fields => ({ group: "", version: "v1", kind: "Service", ...more });

/** An EventSource with one selector that collects resources. */
export function eventSource(name: string, selector: Fields, spec: Fields = {}): KubeObject {
  return sveltosObject("EventSource", name, { collectResources: true, resourceSelectors: [serviceSelector(selector)], ...spec });
}

/** An EventSource of the Services with its name as label. */
export function labelledEventSource(name: string, more: Fields = {}): KubeObject {
  return eventSource(name, { selector: { matchLabels: { event: name } }, ...more });
}

/** A trigger for events of the first cluster. Its EventSource and its content have its own name by default. */
export function trigger(name: string, spec: Fields = {}, metadata: Fields = {}): KubeObject {
  return sveltosObject(
    "EventTrigger",
    name,
    { sourceClusterSelector: fv, eventSourceName: name, ...policyRefsTo(name), ...spec },
    metadata,
  );
}

/** A profile for the first cluster. Its content has its own name by default. */
export function profile(name: string, spec: Fields = {}, metadata: Fields = {}): KubeObject {
  return sveltosObject("ClusterProfile", name, { clusterSelector: fv, ...policyRefsTo(name), ...spec }, metadata);
}

export function policyRefsTo(...names: readonly string[]): Fields {
  return { policyRefs: names.map((name) => ({ kind: "ConfigMap", namespace: "default", name })) };
}

/** A ConfigMap of the management cluster with these texts as content. */
export function contentConfigMap(name: string, texts: readonly string[], annotations: Fields = {}): KubeObject {
  const data = Object.fromEntries(texts.map((text, index) => [`${index}.yaml`, text]));
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default", annotations }, data } as KubeObject;
}

/** The text of a ConfigMap with the value `v`. Both may be templates. */
export function valueConfigMapText(name: string, v: string, metadata: Fields = {}): string {
  return manifestText(`apiVersion: v1\nkind: ConfigMap`, { name, namespace: "default", ...metadata }, `data: {v: "${v}"}`);
}

/** The text of a Job that completes quickly. */
export function jobText(name: string, annotations: Fields = {}, spec: Fields = {}): string {
  const containers = [{ name: "it", image: "busybox" }];
  const template = { spec: { restartPolicy: "Never", containers } };
  return manifestText(
    "apiVersion: batch/v1\nkind: Job",
    { name, namespace: "default", annotations },
    `spec: ${JSON.stringify({ ...spec, template })}`,
  );
}

function manifestText(kind: string, metadata: Fields, rest: string): string {
  return `${kind}\nmetadata: ${JSON.stringify(metadata)}\n${rest}\n`;
}

/** The content of a trigger: the names of all matching resources in one ConfigMap. */
export function matchingNamesContent(name: string): KubeObject {
  return contentConfigMap(
    name,
    [valueConfigMapText(name, "{{ range $i, $m := .MatchingResources }}{{ if $i }} {{ end }}{{ $m.Name }}{{ end }}")],
    instantiateAnnotations,
  );
}

export function serviceObject(
  name: string,
  labels: Fields = {},
  more: { namespace?: string; annotations?: Fields; port?: number } = {},
): KubeObject {
  const { namespace = "default", annotations = {}, port = 80 } = more;
  const metadata = { name, namespace, labels, annotations };
  return { apiVersion: "v1", kind: "Service", metadata, spec: { ports: [{ port }], selector: { app: name } } } as KubeObject;
}

/** A ConfigMap with the value `v`. */
export function valueConfigMap(name: string, v: string): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default" }, data: { v } };
}

export const coreRef = (kind: string, name: string, namespace = "default"): ObjectRef => ({
  group: "",
  version: "v1",
  kind,
  namespace,
  name,
});
export const configMapRef = (name: string, namespace?: string): ObjectRef => coreRef("ConfigMap", name, namespace);
export const jobRef = (name: string): ObjectRef => ({ group: "batch", version: "v1", kind: "Job", namespace: "default", name });
export const namespaceObject = (name: string): KubeObject => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
