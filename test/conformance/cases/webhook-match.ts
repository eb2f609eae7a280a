import { configMap, configMapsPath, httpDelete, httpPost, mergePatch, namespacedPath, type ConformanceCase } from "../conformance-case.ts";
import { configMapTo, configuration, configurationPath, configureSteps, hook, hooksByLabel, ruleFor } from "./webhook-configuration.ts";
import { costlyExpression, dearExpression } from "./policy-steps.ts";
import { establishSteps, widget, widgetCrdOf, widgetsPath } from "./widget.ts";

const configMapPath = `${configMapsPath}/a`;
const anything = { "x-kubernetes-preserve-unknown-fields": true };
const denied = { expect: 400 };
const ofCollection = { objectSelector: { matchLabels: { of: "collection" } } };
const mayCreate = (account: string) =>
  `authorizer.serviceAccount('{ns}', '${account}').group('').resource('configmaps').namespace('{ns}').check('create').allowed()`;

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
        configuration("validating", [
          hook("deny", {
            matchConditions: [
              { name: "a", expression: "object.metadata.name.startsWith(" },
              { name: "b", expression: "1 + 1" },
              { name: "c", expression: "request.nothing == 'x'" },
              { name: "d", expression: "params == null" },
              { name: "e", expression: "authorizer.group('').allowed()" },
              { name: "f", expression: "namespaceObject.metadata.name == 'x'" },
            ],
          }),
        ]),
        { expect: 422 },
      ),
    ],
  },
  {
    id: "webhook/authorizer-conditions",
    title: "match conditions ask who may do what, and may cost so much",
    needsWebhook: true,
    steps: [
      ...configureSteps("validating", [
        hook("deny", {
          matchConditions: [
            { name: "may", expression: "authorizer.group('').resource('configmaps').namespace('{ns}').check('create').allowed()" },
            { name: "itself", expression: "authorizer.requestResource.check('create').allowed()" },
            { name: "may-not", expression: `!${mayCreate("nobody")}` },
            { name: "user", expression: "'system:authenticated' in request.userInfo.groups && request.name == 'a'" },
          ],
        }),
        hook("deny-message", { matchConditions: [{ name: "may", expression: mayCreate("nobody") }] }),
        hook("deny-reason", {
          matchConditions: [
            { name: "named", expression: "object.metadata.name == 'dear'" },
            { name: "dear", expression: costlyExpression },
          ],
        }),
        hook("tell", { failurePolicy: "Ignore", matchConditions: [{ name: "dear", expression: costlyExpression }] }),
      ]),
      httpPost(configMapsPath, configMap("a"), denied),
      httpPost(configMapsPath, configMap("b"), { show: ["metadata.name"] }),
      httpPost(configMapsPath, configMap("dear"), { expect: 403 }),
    ],
  },
  {
    id: "webhook/budget-of-conditions",
    title: "match conditions have one budget, which is used up even where one of them is false",
    needsWebhook: true,
    steps: [
      ...configureSteps("validating", [
        hook("deny", {
          matchConditions: [
            { name: "named", expression: "object.metadata.name == 'dear'" },
            ...Array.from({ length: 10 }, (_, index) => ({ name: `dear-${index}`, expression: dearExpression })),
          ],
        }),
      ]),
      httpPost(configMapsPath, configMap("a"), { expect: 403 }),
    ],
  },
  {
    id: "webhook/untold-names",
    title: "a webhook is told no name where the request has none",
    needsWebhook: true,
    steps: [
      httpPost(configMapsPath, configMap("a", {}, { labels: { of: "collection" } }), { show: [] }),
      ...configureSteps("validating", [
        hook("deny", { ...ofCollection, matchConditions: [{ name: "unnamed", expression: "!has(request.name)" }] }),
        hook("deny-message", { ...ofCollection, matchConditions: [{ name: "named", expression: "has(request.name)" }] }),
      ]),
      httpDelete(`${configMapsPath}/a`, undefined, denied),
      httpDelete(`${configMapsPath}?labelSelector=of%3Dcollection`, undefined, denied),
      httpPost(
        configMapsPath,
        { apiVersion: "v1", kind: "ConfigMap", metadata: { generateName: "made-", labels: { of: "collection" } } },
        denied,
      ),
    ],
  },
  {
    id: "webhook/generated-namespace",
    title: "a Namespace whose name is generated is matched by its labels",
    needsWebhook: true,
    steps: [
      ...configureSteps("validating", [
        hook("tell", { rules: [ruleFor(["namespaces"])], namespaceSelector: { matchLabels: { "of-{unique}": "yes" } } }),
      ]),
      httpPost(
        "/api/v1/namespaces?dryRun=All",
        { apiVersion: "v1", kind: "Namespace", metadata: { generateName: "made-", labels: { "of-{unique}": "no" } } },
        { show: [] },
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
