import type { Json } from "../../../src/core/object/index.ts";
import { httpGet, httpPost, mergePatch, namespacedPath, type ConformanceCase } from "../conformance-case.ts";
import { withPolicy } from "./policy-steps.ts";
import { configureSteps, hook, ruleFor } from "./webhook-configuration.ts";
import { webWorkload } from "./webhook-workload.ts";

const denied = { expect: 400 };
const podsPath = namespacedPath("v1", "pods");
const tokenPath = namespacedPath("v1", "serviceaccounts", "default/token");
const autoscalersPath = namespacedPath("autoscaling/v2", "horizontalpodautoscalers");
const deploymentsPath = namespacedPath("apps/v1", "deployments");
/** A pod that nobody schedules. */
const pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web" },
  spec: { schedulerName: "nobody", containers: [{ name: "a", image: "example.com/a" }] },
};
const eviction: Json = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "web" }, deleteOptions: { gracePeriodSeconds: 5 } };
const binding = (node: string): Json => ({
  apiVersion: "v1",
  kind: "Binding",
  metadata: { name: "web" },
  target: { kind: "Node", name: node },
});
const tokenRequest: Json = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { expirationSeconds: 700 } };
const review: Json = {
  apiVersion: "authorization.k8s.io/v1",
  kind: "LocalSubjectAccessReview",
  metadata: { namespace: "{ns}" },
  spec: { user: "nobody", resourceAttributes: { namespace: "{ns}", verb: "get", resource: "pods" } },
};
const autoscaler: Json = {
  apiVersion: "autoscaling/v2",
  kind: "HorizontalPodAutoscaler",
  metadata: { name: "a" },
  spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "a" }, minReplicas: 2, maxReplicas: 3 },
};
const early = { expect: 422, early: 201 };
const message = "request.operation + ' ' + object.kind + ' ' + request.kind.kind + ' ' + request.resource.resource + ' ' + request.name";

/** Creates of what is not stored itself: evictions, bindings, requests for tokens, reviews; and what a controller writes by a part. */
export const webhookSubresourceCases: readonly ConformanceCase[] = [
  {
    id: "webhook/created-subresources",
    title: "webhooks are asked about evictions, bindings, requests for tokens and reviews",
    needsWebhook: true,
    steps: [
      httpPost(podsPath, pod, { show: [] }),
      ...configureSteps("validating", [
        hook("tell", {
          rules: [ruleFor(["pods/eviction", "pods/binding", "bindings", "serviceaccounts/token", "localsubjectaccessreviews"])],
        }),
      ]),
      httpPost(`${podsPath}/web/eviction?fieldManager=one`, eviction, denied),
      httpPost(`${podsPath}/web/eviction?dryRun=All`, eviction, denied),
      httpPost(`${podsPath}/absent/eviction`, { ...(eviction as object), metadata: { name: "absent" } }, denied),
      httpPost(`${podsPath}/web/eviction`, { ...(eviction as object), metadata: { name: "other" } }, { expect: 400 }),
      httpPost(`${podsPath}/web/binding`, binding("node-{unique}"), denied),
      httpPost(`${podsPath}/absent/binding`, { ...(binding("x") as object), metadata: { name: "absent" } }, denied),
      httpPost(`${podsPath}/web/binding`, binding(""), { expect: 500 }),
      httpPost(namespacedPath("v1", "bindings"), binding("node-{unique}"), denied),
      httpPost(tokenPath, tokenRequest, denied),
      httpPost(namespacedPath("v1", "serviceaccounts", "absent/token"), tokenRequest, { expect: 404 }),
      httpPost(tokenPath, { ...(tokenRequest as object), spec: { expirationSeconds: 1 } }, { expect: 422 }),
      httpPost(namespacedPath("authorization.k8s.io/v1", "localsubjectaccessreviews"), review, denied),
      httpGet(`${podsPath}/web`, { show: ["spec.nodeName", "metadata.deletionTimestamp"] }),
    ],
  },
  {
    id: "webhook/mutated-subresources",
    title: "mutating webhooks change what is created by a subresource",
    needsWebhook: true,
    steps: [
      httpPost(podsPath, pod, { show: [] }),
      ...configureSteps("mutating", [
        hook("expiration", { rules: [ruleFor(["serviceaccounts/token"])] }),
        hook("label", { rules: [ruleFor(["pods/binding"])] }),
        hook("tell", { rules: [ruleFor(["pods/eviction"])] }),
      ]),
      httpPost(tokenPath, tokenRequest, { show: ["spec", "metadata.name", "metadata.namespace"] }),
      httpPost(`${podsPath}/web/eviction`, eviction, denied),
      httpPost(`${podsPath}/absent/eviction`, { ...(eviction as object), metadata: { name: "absent" } }, denied),
      httpPost(`${podsPath}/web/binding`, binding("node-{unique}")),
      httpGet(`${podsPath}/web`, { show: ["metadata.labels"] }),
    ],
  },
  {
    id: "admission-policy/created-subresources",
    title: "policies see evictions, bindings and requests for tokens",
    steps: [
      httpPost(podsPath, pod, { show: [] }),
      ...withPolicy(
        { validations: [{ expression: "object.kind == 'none'", messageExpression: `${message} + ' ' + string(oldObject == null)` }] },
        [
          httpPost(tokenPath, tokenRequest, early),
          httpPost(`${podsPath}/web/eviction`, eviction, { expect: 422 }),
          httpPost(`${podsPath}/web/binding`, binding("node-{unique}"), { expect: 422 }),
          httpPost(namespacedPath("v1", "bindings"), binding("node-{unique}"), { expect: 422 }),
        ],
        {},
        { resourceRules: [ruleFor(["pods/eviction", "pods/binding", "bindings", "serviceaccounts/token"])] },
      ),
      httpGet(`${podsPath}/web`, { show: ["spec.nodeName", "metadata.deletionTimestamp"] }),
    ],
  },
  {
    id: "webhook/mutated-scale",
    title: "a mutating webhook changes a Scale, and the replicas with it",
    needsWebhook: true,
    steps: [
      httpPost(deploymentsPath, webWorkload("Deployment"), { show: [] }),
      ...configureSteps("mutating", [hook("replicas", { rules: [ruleFor(["deployments/scale"])] })]),
      mergePatch(`${deploymentsPath}/a/scale`, { spec: { replicas: 1 } }, { show: ["spec"] }),
      httpGet(`${deploymentsPath}/a`, { show: ["spec.replicas"] }),
    ],
  },
  {
    id: "autoscaler/refused-scale",
    title: "an autoscaler writes the scale of its target, and says why it may not",
    needsWebhook: true,
    steps: [
      httpPost(deploymentsPath, { ...webWorkload("Deployment"), spec: { ...webWorkload("Deployment").spec, replicas: 1 } }, { show: [] }),
      ...configureSteps("validating", [
        hook("deny-message", { rules: [ruleFor(["deployments/scale"])] }),
        hook("deny", { rules: [ruleFor(["deployments"])], objectSelector: { matchLabels: { never: "there" } } }),
      ]),
      httpPost(autoscalersPath, autoscaler, { show: [] }),
      { waitFor: `${autoscalersPath}/a`, until: { "condition:AbleToScale": "False" }, show: ["status"] },
      httpGet(`${deploymentsPath}/a`, { show: ["spec.replicas"] }),
    ],
  },
];
