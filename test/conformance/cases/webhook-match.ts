import { configMap, configMapsPath, httpDelete, httpPost, mergePatch, namespacedPath, type ConformanceCase } from "../conformance-case.ts";
import { configMapTo, configurationPath, configureSteps, hook, hooksByLabel, ruleFor } from "./webhook-configuration.ts";
import { establishSteps, widget, widgetCrdOf, widgetsPath } from "./widget.ts";

const configMapPath = `${configMapsPath}/a`;
const anything = { "x-kubernetes-preserve-unknown-fields": true };
const denied = { expect: 400 };

/** Which writes webhooks are asked about: scopes, selectors, conditions and versions. */
export const webhookMatchCases: readonly ConformanceCase[] = [
  {
    id: "webhook/scope",
    title: "a rule names the scope",
    needsWebhook: true,
    steps: [
      ...configureSteps("validating", [
        hook("deny", { rules: [ruleFor(["configmaps"], { scope: "Cluster" })] }),
        hook("deny-message", { rules: [ruleFor(["services"], { scope: "Namespaced" })] }),
        hook("tell", { rules: [ruleFor(["namespaces"], { scope: "Namespaced" })] }),
      ]),
      httpPost(configMapsPath, configMap("a"), { show: ["metadata.name"] }),
      httpPost(
        namespacedPath("v1", "services"),
        { apiVersion: "v1", kind: "Service", metadata: { name: "a" }, spec: { ports: [{ port: 80 }] } },
        denied,
      ),
      mergePatch("/api/v1/namespaces/{ns}", { metadata: { labels: { a: "b" } } }, { show: ["metadata.labels"] }),
    ],
  },
  {
    id: "webhook/namespaces",
    title: "a webhook is asked about a Namespace by the labels that it is to have",
    needsWebhook: true,
    steps: [
      ...configureSteps("validating", [
        hook("tell", { rules: [ruleFor(["namespaces"])], namespaceSelector: { matchLabels: { "of-{unique}": "yes" } } }),
      ]),
      httpPost(
        "/api/v1/namespaces",
        { apiVersion: "v1", kind: "Namespace", metadata: { name: "other-{unique}", labels: { "of-{unique}": "yes" } } },
        denied,
      ),
      mergePatch("/api/v1/namespaces/{ns}", { metadata: { labels: { "of-{unique}": "yes" } } }, denied),
      mergePatch("/api/v1/namespaces/{ns}", { metadata: { labels: { "of-{unique}": "no" } } }, { show: ["metadata.labels"] }),
    ],
  },
  {
    id: "webhook/namespace-selector",
    title: "a namespace selector leaves other namespaces alone",
    needsWebhook: true,
    namespaces: 2,
    steps: [
      ...configureSteps("validating", [
        hook("deny", {
          namespaceSelector: { matchExpressions: [{ key: "kubernetes.io/metadata.name", operator: "In", values: ["{ns2}"] }] },
        }),
      ]),
      httpPost(configMapsPath, configMap("a"), { show: ["metadata.name"] }),
      httpPost("/api/v1/namespaces/{ns2}/configmaps", configMap("a"), denied),
    ],
  },
  {
    id: "webhook/object-selector",
    title: "an object selector matches the old object or the new one",
    needsWebhook: true,
    steps: [
      ...configureSteps("validating", [hook("tell", { objectSelector: { matchLabels: { app: "web" } } })]),
      httpPost(configMapsPath, configMap("b", {}, { labels: { app: "web" } }), denied),
      httpPost(configMapsPath, configMap("a"), { show: ["metadata.name"] }),
      mergePatch(configMapPath, { metadata: { labels: { app: "web" } } }, denied),
      mergePatch(configMapPath, { metadata: { labels: { app: "db" } } }, { show: ["metadata.labels"] }),
    ],
  },
  {
    id: "webhook/match-conditions",
    title: "match conditions are expressions on the objects and the request",
    needsWebhook: true,
    steps: [
      ...configureSteps("validating", [
        hook("deny", {
          matchConditions: [
            { name: "named", expression: "object.metadata.name.startsWith('no')" },
            { name: "created", expression: "request.operation == 'CREATE' && oldObject == null" },
          ],
        }),
        hook("deny-message", { matchConditions: [{ name: "data", expression: "object.data.size == '5'" }] }),
        hook("deny-reason", { failurePolicy: "Ignore", matchConditions: [{ name: "data", expression: "object.data.length == '5'" }] }),
      ]),
      httpPost(configMapsPath, configMap("no", { data: { size: "1" } }), denied),
      httpPost(configMapsPath, configMap("a", { data: { size: "5" } }), denied),
      httpPost(configMapsPath, configMap("b"), { expect: 403 }),
      httpPost(configMapsPath, configMap("c", { data: { size: "6" } }), { show: ["data"] }),
    ],
  },
  {
    id: "webhook/refused-conditions",
    title: "match conditions that do not compile are refused",
    needsWebhook: true,
    steps: [
      httpPost(
        configurationPath("validating"),
        {
          apiVersion: "admissionregistration.k8s.io/v1",
          kind: "ValidatingWebhookConfiguration",
          metadata: { name: "{unique}" },
          webhooks: [
            hook("deny", {
              matchConditions: [
                { name: "a", expression: "object.metadata.name.startsWith(" },
                { name: "b", expression: "1 + 1" },
              ],
            }),
          ],
        },
        { expect: 422 },
      ),
    ],
  },
  {
    id: "webhook/match-policy",
    title: "a webhook is asked about other versions of its resource unless its policy is Exact",
    needsWebhook: true,
    steps: [
      ...establishSteps(
        widgetCrdOf(anything, {
          spec: {
            versions: ["v1", "v2"].map((name) => ({
              name,
              served: true,
              storage: name === "v2",
              schema: { openAPIV3Schema: { type: "object", properties: { spec: { type: "object", ...anything } } } },
            })),
          },
        }),
      ),
      ...configureSteps("validating", [
        hook("tell", { rules: [ruleFor(["widgets"], { apiVersions: ["v2"] })], objectSelector: { matchLabels: { to: "tell" } } }),
        hook("deny", { matchPolicy: "Exact", rules: [ruleFor(["widgets"], { apiVersions: ["v2"] })] }),
      ]),
      httpPost(widgetsPath, widget({ size: 1 }, { labels: { to: "tell" } }), denied),
      httpPost(widgetsPath, widget({ size: 1 }), { show: ["spec"] }),
    ],
  },
  {
    id: "webhook/own-configurations",
    title: "no webhook is asked about the configurations of webhooks",
    needsWebhook: true,
    steps: [
      ...configureSteps("validating", [hook("deny", { rules: [ruleFor(["*"], { apiGroups: ["admissionregistration.k8s.io"] })] })]),
      httpDelete(`${configurationPath("validating")}/{unique}`, undefined, { show: ["status"] }),
    ],
  },
  {
    id: "webhook/dry-run",
    title: "a dry run is not sent to webhooks with side effects",
    needsWebhook: true,
    steps: [
      ...configureSteps("validating", [hook("tell", { sideEffects: "NoneOnDryRun" })]),
      httpPost(`${configMapsPath}?dryRun=All`, configMap("a"), denied),
    ],
  },
  {
    id: "webhook/warnings",
    title: "warnings of webhooks reach the client",
    needsWebhook: true,
    steps: [
      ...configureSteps("validating", hooksByLabel(["warn", "warn-deny"])),
      ...configureSteps("mutating", hooksByLabel(["warn"])),
      configMapTo("warn", { show: ["metadata.name"] }),
      configMapTo("warn-deny", denied),
    ],
  },
  {
    id: "webhook/old-reviews",
    title: "a webhook may speak v1beta1",
    needsWebhook: true,
    steps: [
      ...configureSteps(
        "mutating",
        hooksByLabel(["trace/a", "wrong-uid", "patch-only", "tell"], { admissionReviewVersions: ["v1alpha9", "v1beta1", "v1"] }),
      ),
      configMapTo("trace/a", { show: ["metadata.annotations"] }),
      configMapTo("wrong-uid", { show: ["metadata.name"] }),
      configMapTo("patch-only", { show: ["metadata.name"] }),
      configMapTo("tell", denied),
    ],
  },
];
