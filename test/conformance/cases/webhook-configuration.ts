import type { Json } from "../../../src/core/object/index.ts";
import { httpPost, namespacedPath, type CaseStep, type RequestStep } from "../conformance-case.ts";

/** What a case configures webhooks with. Each answers by its path as the scripted webhook does. */
type Fields = { readonly [field: string]: Json };

const root = "/apis/admissionregistration.k8s.io/v1";
export const configurationPath = (type: "mutating" | "validating") => `${root}/${type}webhookconfigurations`;

const inNamespace = { matchLabels: { "kubernetes.io/metadata.name": "{ns}" } };

export const ruleFor = (resources: readonly string[], more: Fields = {}): Fields => ({
  apiGroups: ["*"],
  apiVersions: ["*"],
  operations: ["*"],
  resources: [...resources],
  ...more,
});

/** A webhook that answers by `path`, asked about ConfigMaps of the case's namespace. */
export const hook = (path: string, more: Fields = {}): Fields => ({
  name: `${path.replaceAll(/[^a-z0-9]+/g, "-")}.example.com`,
  clientConfig: { url: `https://{webhook}/${path}`, caBundle: "{ca}" },
  admissionReviewVersions: ["v1"],
  sideEffects: "None",
  timeoutSeconds: 10,
  namespaceSelector: inNamespace,
  rules: [ruleFor(["configmaps"])],
  ...more,
});

/** One webhook for each path, asked only about objects whose label `to` is the path. */
export const hooksByLabel = (paths: readonly string[], more: Fields = {}): readonly Fields[] =>
  paths.map((path) => hook(path, { objectSelector: { matchLabels: { to: labelOf(path) } }, ...more }));

export const labelOf = (path: string) => path.replaceAll("/", ".");

const kinds = { mutating: "MutatingWebhookConfiguration", validating: "ValidatingWebhookConfiguration" };

export const configuration = (type: "mutating" | "validating", webhooks: readonly Fields[], name = "{unique}"): Fields => ({
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: kinds[type],
  metadata: { name },
  webhooks: [...webhooks],
});

const secrets = namespacedPath("v1", "secrets");

/**
 * Configures webhooks, and waits until the server asks them: the last one denies a Secret that is never stored. One of an earlier
 * configuration denies it too, so that the name is waited for. Mutating webhooks, and those of the first name, are asked first.
 */
export const configureSteps = (type: "mutating" | "validating", webhooks: readonly Fields[], name = "{unique}"): CaseStep[] => {
  const probeName = `${name.replace("{unique}", "")}probe.${type}.example.com`;
  const probe = hook("deny-code/403", { name: probeName, rules: [ruleFor(["secrets"])] });
  return [
    httpPost(configurationPath(type), configuration(type, [...webhooks, probe], name), { show: ["metadata.name"] }),
    httpPost(
      `${secrets}?dryRun=All`,
      { apiVersion: "v1", kind: "Secret", metadata: { name: "probe" } },
      { expect: 403, until: { message: `admission webhook "${probeName}" denied the request: no` }, show: [] },
    ),
  ];
};

/** Creates a ConfigMap that goes to the webhook of this path. */
export const configMapTo = (path: string, more: Omit<RequestStep, "call" | "body"> = {}): RequestStep =>
  httpPost(
    `${namespacedPath("v1", "configmaps")}?fieldManager=one`,
    { apiVersion: "v1", kind: "ConfigMap", metadata: { name: labelOf(path), labels: { to: labelOf(path) } } },
    more,
  );
