import {
  applyRequest,
  configMap,
  configMapsPath,
  httpDelete,
  httpGet,
  httpPost,
  httpPut,
  jsonPatch,
  mergePatch,
  namespacedPath,
  type ConformanceCase,
} from "../conformance-case.ts";
import { webWorkload } from "./webhook-workload.ts";
import { configMapTo, configureSteps, hook, hooksByLabel, ruleFor } from "./webhook-configuration.ts";
import { establishSteps, widget, widgetCrdOf, widgetPath, widgetsPath } from "./widget.ts";

const configMapPath = `${configMapsPath}/a`;
const anything = { "x-kubernetes-preserve-unknown-fields": true };
const denied = { expect: 400 };

/** Which writes webhooks are asked about, and what they are asked. */
export const webhookCases: readonly ConformanceCase[] = [
  {
    id: "webhook/denied",
    title: "a webhook denies a write in its own words",
    needsWebhook: true,
    steps: [
      ...configureSteps(
        "validating",
        hooksByLabel(["deny", "deny-message", "deny-reason", "deny-code/418", "deny-code/200", "deny-details"]),
      ),
      configMapTo("deny", denied),
      configMapTo("deny-message", denied),
      configMapTo("deny-reason", denied),
      configMapTo("deny-code/418", { expect: 418 }),
      configMapTo("deny-code/200", denied),
      configMapTo("deny-details", { expect: 422 }),
    ],
  },
  {
    id: "webhook/mutating-denied",
    title: "a mutating webhook denies a write",
    needsWebhook: true,
    steps: [
      ...configureSteps("mutating", hooksByLabel(["deny", "deny-message"])),
      configMapTo("deny", denied),
      configMapTo("deny-message", denied),
    ],
  },
  {
    id: "webhook/request",
    title: "a webhook learns everything about a write",
    needsWebhook: true,
    steps: [
      ...establishSteps(widgetCrdOf(anything, { version: { subresources: { status: {} } } })),
      ...configureSteps("mutating", [hook("review", { rules: [ruleFor(["widgets"], { operations: ["CREATE"] })] })]),
      httpPost(`${widgetsPath}?fieldManager=one&fieldValidation=Strict`, widget({ size: 1 })),
    ],
  },
  {
    id: "webhook/operations",
    title: "a webhook is told create, update, patch, apply and delete apart",
    needsWebhook: true,
    steps: [
      httpPost(configMapsPath, configMap("a", { data: { a: "1" } }), { show: ["metadata.name"] }),
      ...configureSteps("validating", [hook("tell")]),
      httpPost(`${configMapsPath}?fieldManager=one`, configMap("b"), denied),
      httpPut(`${configMapPath}?fieldManager=one`, configMap("a", { data: { a: "2" } }), denied),
      mergePatch(`${configMapPath}?fieldManager=one&fieldValidation=Strict`, { data: { a: "3" } }, denied),
      jsonPatch(configMapPath, [{ op: "add", path: "/data/b", value: "x" }], denied),
      applyRequest(`${configMapPath}`, configMap("a", { data: { b: "4" } }), denied),
      applyRequest(`${configMapsPath}/new`, configMap("new", { data: { b: "4" } }), { ...denied, force: true }),
      httpDelete(configMapPath, undefined, denied),
      httpDelete(configMapPath, { propagationPolicy: "Orphan", gracePeriodSeconds: 5 }, denied),
      httpDelete(`${configMapsPath}?labelSelector=none`, undefined, {}),
      httpPost(`${configMapsPath}?dryRun=All`, configMap("b"), denied),
      httpGet(configMapPath, { show: ["data"] }),
    ],
  },
  {
    id: "webhook/generated-name",
    title: "a webhook sees a generated name",
    needsWebhook: true,
    steps: [
      ...configureSteps("mutating", [hook("trace/a"), ...hooksByLabel(["tell"])]),
      httpPost(configMapsPath, { apiVersion: "v1", kind: "ConfigMap", metadata: { generateName: "made-" } }),
      httpPost(
        configMapsPath,
        { apiVersion: "v1", kind: "ConfigMap", metadata: { generateName: "made-", labels: { to: "tell" } } },
        denied,
      ),
    ],
  },
  {
    id: "webhook/operations-of-rule",
    title: "a rule names the operations",
    needsWebhook: true,
    steps: [
      ...configureSteps("validating", [hook("tell", { rules: [ruleFor(["configmaps"], { operations: ["UPDATE", "DELETE"] })] })]),
      httpPost(configMapsPath, configMap("a"), { show: ["metadata.name"] }),
      mergePatch(configMapPath, { data: { a: "1" } }, denied),
      httpDelete(configMapPath, undefined, denied),
    ],
  },
  {
    id: "webhook/groups-and-resources",
    title: "a rule names groups, versions and resources",
    needsWebhook: true,
    steps: [
      ...configureSteps("validating", [
        hook("deny", { rules: [ruleFor(["deployments"], { apiGroups: ["apps"], apiVersions: ["v1"] })] }),
        hook("deny-message", { rules: [ruleFor(["configmaps"], { apiGroups: ["apps"] })] }),
        hook("deny-reason", { rules: [ruleFor(["services"], { apiVersions: ["v2"] })] }),
      ]),
      httpPost(configMapsPath, configMap("a"), { show: ["metadata.name"] }),
      httpPost(namespacedPath("apps/v1", "deployments"), webWorkload("Deployment"), denied),
      httpPost(
        namespacedPath("v1", "services"),
        { apiVersion: "v1", kind: "Service", metadata: { name: "a" }, spec: { ports: [{ port: 80 }] } },
        { show: ["metadata.name"] },
      ),
    ],
  },
  {
    id: "webhook/subresources",
    title: "a rule names subresources",
    needsWebhook: true,
    steps: [
      ...establishSteps(widgetCrdOf(anything, { version: { subresources: { status: {} } } })),
      httpPost(widgetsPath, widget({ size: 1 }), { show: ["metadata.name"] }),
      ...configureSteps("validating", [hook("tell", { rules: [ruleFor(["widgets/status"])] })]),
      mergePatch(widgetPath, { spec: { size: 2 } }, { show: ["spec"] }),
      mergePatch(`${widgetPath}/status`, { status: { phase: "x" } }, denied),
      httpPut(`${widgetPath}/status`, widget({ size: 1 }, { resourceVersion: "0" }), { expect: 422, show: [] }),
    ],
  },
  {
    id: "webhook/wildcards",
    title: "a rule of all resources takes subresources only with a slash",
    needsWebhook: true,
    steps: [
      ...establishSteps(widgetCrdOf(anything, { version: { subresources: { status: {} } } })),
      httpPost(widgetsPath, widget({ size: 1 }), { show: ["metadata.name"] }),
      ...configureSteps("validating", [hook("deny", { rules: [ruleFor(["*"], { apiGroups: ["{group}"] })] })]),
      ...configureSteps("mutating", [
        hook("deny-message", { rules: [ruleFor(["*/*"], { apiGroups: ["{group}"], operations: ["UPDATE"] })] }),
      ]),
      mergePatch(`${widgetPath}/status`, { status: { phase: "x" } }, denied),
      mergePatch(widgetPath, { spec: { size: 2 } }, denied),
      httpDelete(widgetPath, undefined, denied),
    ],
  },
];
