import { configMap, configMapsPath, httpDelete, httpGet, httpPost, namespacedPath, type ConformanceCase } from "../conformance-case.ts";
import { webWorkload } from "./webhook-workload.ts";
import { configMapTo, configureSteps, hook, hooksByLabel, ruleFor } from "./webhook-configuration.ts";
import { establishSteps, sizeSchema, widget, widgetCrdOf, widgetsPath } from "./widget.ts";

const failed = { expect: 500 };

/** What is made of the answers of webhooks, and of those that give none. */
export const webhookAnswerCases: readonly ConformanceCase[] = [
  ...Object.entries({
    identity: ["wrong-uid", "no-uid", "no-kind", "wrong-kind", "old-version", "unknown-version"],
    response: ["no-response", "null-response", "text-response", "text-allowed"],
    body: ["empty", "text", "html", "array", "null", "cut"],
    codes: ["status/500", "status/503", "status/404", "status/403", "status/400", "status/401", "status/409", "status/418", "status/504"],
    "json-codes": ["json-status/500", "json-status/422", "json-status/406", "kube-status", "failure-status", "success-status"],
    "validating-patches": ["label", "type-only", "empty-patch"],
  }).map(([id, paths]): ConformanceCase => ({
    id: `webhook-answer/${id}`,
    title: `an answer that is of no use fails the write: ${paths.join(", ")}`,
    needsWebhook: true,
    steps: [...configureSteps("validating", hooksByLabel(paths)), ...paths.map((path) => configMapTo(path, failed))],
  })),
  ...Object.entries({
    patches: ["missing-path", "failed-test", "strange-op", "patch-object", "patch-text", "wrong-type"],
    "patch-types": ["bad-base64", "number-patch", "patch-only", "type-only", "empty-type", "merge-type"],
    "mutating-identity": ["wrong-uid", "no-response", "status/500", "text"],
  }).map(([id, paths]): ConformanceCase => ({
    id: `webhook-answer/${id}`,
    title: `a patch that is of no use fails the write: ${paths.join(", ")}`,
    needsWebhook: true,
    steps: [...configureSteps("mutating", hooksByLabel(paths)), ...paths.map((path) => configMapTo(path, failed))],
  })),
  {
    id: "webhook-answer/failure-policy",
    title: "failures are ignored if the policy says so, and denials are not",
    needsWebhook: true,
    steps: [
      ...configureSteps("validating", hooksByLabel(["wrong-uid", "status/500", "deny"], { failurePolicy: "Ignore" })),
      ...configureSteps("mutating", hooksByLabel(["text", "missing-path", "merge-type"], { failurePolicy: "Ignore" })),
      configMapTo("wrong-uid", { show: ["metadata.name"] }),
      configMapTo("status/500", { show: ["metadata.name"] }),
      configMapTo("text", { show: ["metadata.name"] }),
      configMapTo("merge-type", { show: ["metadata.name"] }),
      configMapTo("missing-path", failed),
      configMapTo("deny", { expect: 400 }),
    ],
  },
  {
    id: "webhook-answer/redirects",
    title: "redirects are followed, with and without the review",
    needsWebhook: "socket",
    steps: [
      ...configureSteps("validating", hooksByLabel(["redirect/307", "redirect/308", "redirect/302", "circle"])),
      configMapTo("redirect/307", { expect: 400 }),
      configMapTo("redirect/308", { expect: 400 }),
      configMapTo("redirect/302", failed),
      configMapTo("circle", failed),
    ],
  },
  {
    id: "webhook-answer/time-out",
    title: "a webhook that does not answer in its time has failed",
    needsWebhook: "socket",
    steps: [...configureSteps("validating", hooksByLabel(["slow"], { timeoutSeconds: 1 })), configMapTo("slow", failed)],
  },
  {
    id: "webhook-answer/unreachable",
    title: "a webhook that cannot be reached has failed",
    needsWebhook: "socket",
    steps: [
      ...configureSteps("validating", [
        ...hooksByLabel(["refused"], { clientConfig: { url: "https://127.0.0.1:1/refused", caBundle: "{ca}" } }),
        ...hooksByLabel(["strange-name"], {
          clientConfig: { service: { name: "hooks", namespace: "{ns}", port: 8443, path: "/a" }, caBundle: "{ca}" },
        }),
        ...hooksByLabel(["no-service"], { clientConfig: { service: { name: "none", namespace: "{ns}" }, caBundle: "{ca}" } }),
        ...hooksByLabel(["no-port"], { clientConfig: { service: { name: "ported", namespace: "{ns}", port: 444 }, caBundle: "{ca}" } }),
        ...hooksByLabel(["headless"], { clientConfig: { service: { name: "headless", namespace: "{ns}" }, caBundle: "{ca}" } }),
      ]),
      httpPost(
        namespacedPath("v1", "services"),
        { apiVersion: "v1", kind: "Service", metadata: { name: "ported" }, spec: { ports: [{ port: 443 }] } },
        { show: [] },
      ),
      httpPost(
        namespacedPath("v1", "services"),
        { apiVersion: "v1", kind: "Service", metadata: { name: "headless" }, spec: { clusterIP: "None", ports: [{ port: 443 }] } },
        { show: [] },
      ),
      configMapTo("refused", failed),
      configMapTo("no-service", failed),
      configMapTo("no-port", failed),
      configMapTo("headless", failed),
    ],
  },
  {
    id: "webhook-answer/external-name",
    title: "a Service of type ExternalName leads to its host, whose certificate must be that of the Service",
    needsWebhook: "socket",
    steps: [
      httpPost(
        namespacedPath("v1", "services"),
        { apiVersion: "v1", kind: "Service", metadata: { name: "hooks" }, spec: { type: "ExternalName", externalName: "localhost" } },
        { show: [] },
      ),
      ...configureSteps(
        "validating",
        hooksByLabel(["named"], { clientConfig: { service: { name: "hooks", namespace: "{ns}", port: "{port}" }, caBundle: "{ca}" } }),
      ),
      configMapTo("named", failed),
    ],
  },
  {
    id: "webhook-answer/mutation",
    title: "a patch changes the object, which is defaulted and validated afterwards",
    needsWebhook: true,
    steps: [
      ...configureSteps("mutating", [
        ...hooksByLabel(["label", "empty-patch", "unknown-field", "rename", "invalid-label"]),
        hook("replicas", { rules: [ruleFor(["deployments"])] }),
        hook("no-defaults", { rules: [ruleFor(["deployments"])] }),
      ]),
      configMapTo("label"),
      configMapTo("empty-patch", { show: ["metadata.labels"] }),
      configMapTo("unknown-field"),
      configMapTo("invalid-label", { expect: 422 }),
      httpPost(`${namespacedPath("apps/v1", "deployments")}?fieldManager=one`, webWorkload("Deployment")),
    ],
  },
  {
    id: "webhook-answer/renamed",
    title: "a patch of the name is stored under that name",
    needsWebhook: true,
    steps: [
      ...configureSteps("mutating", hooksByLabel(["rename"])),
      configMapTo("rename"),
      httpGet(configMapsPath, { show: ["metadata.name"] }),
    ],
  },
  {
    id: "webhook-answer/custom-mutation",
    title: "a patch of a custom resource is validated, and pruned",
    needsWebhook: true,
    steps: [
      ...establishSteps(widgetCrdOf(sizeSchema)),
      ...configureSteps("mutating", [hook("unknown-field", { rules: [ruleFor(["widgets"])] })]),
      httpPost(`${widgetsPath}?fieldManager=one`, widget({ size: 1 })),
      httpGet(`${widgetsPath}/a`),
    ],
  },
  {
    id: "webhook-answer/order",
    title: "mutating webhooks are called in the order of their configurations' names",
    needsWebhook: true,
    steps: [
      ...configureSteps("mutating", [hook("trace/c", { name: "c.example.com" }), hook("trace/a", { name: "a.example.com" })], "b-{unique}"),
      ...configureSteps("mutating", [hook("trace/b", { name: "b.example.com" })], "a-{unique}"),
      httpPost(configMapsPath, configMap("a"), { show: ["metadata.annotations"] }),
    ],
  },
  {
    id: "webhook-answer/reinvocation",
    title: "a webhook sees an object again that a later one has changed, if it asks for that",
    needsWebhook: true,
    steps: [
      ...configureSteps("mutating", [
        hook("trace/a", { name: "a.example.com", reinvocationPolicy: "IfNeeded" }),
        hook("trace/b", { name: "b.example.com" }),
        hook("trace/c", { name: "c.example.com", reinvocationPolicy: "IfNeeded" }),
      ]),
      httpPost(configMapsPath, configMap("a"), { show: ["metadata.annotations"] }),
    ],
  },
  {
    id: "webhook-answer/patched-deletion",
    title: "a deletion cannot be patched",
    needsWebhook: true,
    steps: [
      httpPost(configMapsPath, configMap("a"), { show: [] }),
      ...configureSteps("mutating", [hook("label", { rules: [ruleFor(["configmaps"], { operations: ["DELETE"] })] })]),
      httpDelete(`${configMapsPath}/a`, undefined, failed),
    ],
  },
];
