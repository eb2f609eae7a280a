import { configMap, configMapsPath, httpDelete, httpGet, httpPost, namespacedPath, type ConformanceCase } from "../conformance-case.ts";
import { podTableCase } from "./table-pods.ts";
import { asTable, tableCaseOf, tableKindCases, type Shown } from "./table-kinds.ts";
import { establishSteps, sizeSchema, widget, widgetCrdOf, widgetsPath } from "./widget.ts";

const rbac = "rbac.authorization.k8s.io";
const admission = "admissionregistration.k8s.io/v1";
const subjects = [
  { kind: "User", name: "ann", apiGroup: rbac },
  { kind: "User", name: "bob", apiGroup: rbac },
  { kind: "Group", name: "devs", apiGroup: rbac },
  { kind: "ServiceAccount", name: "default", namespace: "{ns}" },
];
const rules = [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }];
const webhooks = [
  {
    name: "a.example.com",
    clientConfig: { url: "https://127.0.0.1:1/x" },
    admissionReviewVersions: ["v1"],
    sideEffects: "None",
    failurePolicy: "Ignore",
  },
];
const matchConstraints = {
  resourceRules: [{ apiGroups: ["none.example"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["things"] }],
};

const cluster: readonly Shown[] = [
  { apiVersion: "v1", kind: "ConfigMap", resource: "configmaps", body: { data: { a: "1", b: "2" }, binaryData: { c: "AA==" } } },
  { apiVersion: "v1", kind: "Secret", resource: "secrets", body: { type: "example.com/x", stringData: { a: "1" } } },
  { apiVersion: "v1", kind: "ServiceAccount", resource: "serviceaccounts", body: {} },
  { apiVersion: "v1", kind: "LimitRange", resource: "limitranges", body: { spec: { limits: [{ type: "Pod", max: { cpu: "2" } }] } } },
  {
    apiVersion: "v1",
    kind: "Event",
    resource: "events",
    body: {
      involvedObject: { kind: "Pod", namespace: "{ns}", name: "web", fieldPath: "spec.containers{a}" },
      reason: "Started",
      message: "  Started it\n",
      type: "Normal",
      source: { component: "kubelet", host: "n1" },
      firstTimestamp: "2020-01-01T00:00:00Z",
      lastTimestamp: "2020-01-02T00:00:00Z",
      count: 3,
    },
  },
  { apiVersion: "coordination.k8s.io/v1", kind: "Lease", resource: "leases", body: { spec: { holderIdentity: "me" } } },
  { apiVersion: `${rbac}/v1`, kind: "Role", resource: "roles", body: { rules } },
  {
    apiVersion: `${rbac}/v1`,
    kind: "RoleBinding",
    resource: "rolebindings",
    body: { subjects, roleRef: { apiGroup: rbac, kind: "Role", name: "shown" } },
  },
  { apiVersion: `${rbac}/v1`, kind: "ClusterRole", resource: "clusterroles", body: { rules }, cluster: true },
  {
    apiVersion: `${rbac}/v1`,
    kind: "ClusterRoleBinding",
    resource: "clusterrolebindings",
    body: { subjects, roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "{unique}" } },
    cluster: true,
  },
  {
    apiVersion: admission,
    kind: "ValidatingWebhookConfiguration",
    resource: "validatingwebhookconfigurations",
    body: { webhooks },
    cluster: true,
  },
  {
    apiVersion: admission,
    kind: "MutatingWebhookConfiguration",
    resource: "mutatingwebhookconfigurations",
    body: { webhooks },
    cluster: true,
  },
  {
    apiVersion: admission,
    kind: "ValidatingAdmissionPolicy",
    resource: "validatingadmissionpolicies",
    body: { spec: { paramKind: { apiVersion: "v1", kind: "ConfigMap" }, matchConstraints, validations: [{ expression: "true" }] } },
    cluster: true,
  },
  {
    apiVersion: admission,
    kind: "ValidatingAdmissionPolicyBinding",
    resource: "validatingadmissionpolicybindings",
    body: {
      spec: {
        policyName: "absent",
        validationActions: ["Deny"],
        paramRef: { selector: { matchLabels: { a: "b" } }, parameterNotFoundAction: "Allow" },
      },
    },
    cluster: true,
  },
  {
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    resource: "horizontalpodautoscalers",
    body: {
      spec: {
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "absent" },
        maxReplicas: 3,
        metrics: [
          { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } } },
          { type: "Resource", resource: { name: "memory", target: { type: "AverageValue", averageValue: "1Gi" } } },
          { type: "Pods", pods: { metric: { name: "rate" }, target: { type: "AverageValue", averageValue: "5" } } },
        ],
      },
    },
  },
  {
    apiVersion: "flowcontrol.apiserver.k8s.io/v1",
    kind: "PriorityLevelConfiguration",
    resource: "prioritylevelconfigurations",
    body: { spec: { type: "Limited", limited: { nominalConcurrencyShares: 5, limitResponse: { type: "Reject" } } } },
    cluster: true,
  },
];

const replicaSetsPath = namespacedPath("apps/v1", "replicasets");
const replicaSet = {
  apiVersion: "apps/v1",
  kind: "ReplicaSet",
  metadata: { name: "web" },
  spec: {
    replicas: 0,
    selector: { matchLabels: { a: "b" } },
    template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "a", image: "example.com/a" }] } },
  },
};

/** Objects as `kubectl get` shows them. */
export const tableCases: readonly ConformanceCase[] = [
  ...tableKindCases,
  tableCaseOf("cluster", "what belongs to a namespace or a cluster, with the columns of each kind", cluster),
  podTableCase,
  {
    id: "table/answers",
    title: "a table in answer to a list, a page, an object, a write and an error",
    steps: [
      httpPost(configMapsPath, configMap("a", { data: { a: "1" } }), { headers: { ...asTable, "content-type": "application/json" } }),
      httpPost(configMapsPath, configMap("b"), { show: [] }),
      httpGet(`${configMapsPath}?limit=1&includeObject=None`, { headers: asTable }),
      httpGet(`${configMapsPath}/a`, { headers: asTable }),
      httpGet(`${configMapsPath}/a?includeObject=Object`, { headers: asTable }),
      httpGet(`${configMapsPath}/a?includeObject=Metadata`, { headers: { accept: "application/json;as=Table;v=v1beta1;g=meta.k8s.io" } }),
      httpGet(`${configMapsPath}/a?includeObject=Foo`, { headers: asTable, expect: 400 }),
      httpGet(`${configMapsPath}/absent`, { headers: asTable, expect: 404 }),
      httpGet(namespacedPath("v1", "secrets"), { headers: asTable }),
      httpGet(namespacedPath("v1", "limitranges"), { headers: asTable }),
      httpPost(replicaSetsPath, replicaSet, { show: [] }),
      httpGet(`${replicaSetsPath}/web/scale?includeObject=None`, { headers: asTable }),
      httpGet(`${configMapsPath}/a`, { headers: { accept: "application/json;as=Table;v=v2;g=meta.k8s.io" }, expect: 406 }),
      httpGet(`${configMapsPath}/a`, {
        headers: { accept: "application/json;as=Foo;v=v1;g=meta.k8s.io,application/json" },
        show: ["kind"],
      }),
    ],
  },
  {
    id: "table/watch",
    title: "a watch of tables says its columns once",
    steps: [
      httpPost(configMapsPath, configMap("a", { data: { a: "1" } }, { labels: { mine: "x" } }), { show: [] }),
      httpPost(configMapsPath, configMap("b", {}, { labels: { mine: "x" } }), { show: [] }),
      {
        watch: `${configMapsPath}?watch=true&labelSelector=mine&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
        name: "maps",
        headers: asTable,
      },
      { events: "maps", until: { count: 2 } },
      httpDelete(`${configMapsPath}/a`, undefined, { show: [] }),
      { events: "maps", until: { type: "DELETED" } },
    ],
  },
  {
    id: "table/custom",
    title: "a custom resource has the printer columns of its CRD, or its age",
    steps: [
      ...establishSteps(
        widgetCrdOf(
          {
            properties: {
              ...sizeSchema.properties,
              at: { type: "string" },
              list: { type: "array", items: { type: "string" } },
              on: { type: "boolean" },
            },
          },
          {
            version: {
              additionalPrinterColumns: [
                { name: "Size", type: "integer", jsonPath: ".spec.size" },
                { name: "Title", type: "string", jsonPath: ".spec.name", description: "What it is called.", priority: 1 },
                { name: "At", type: "date", jsonPath: ".spec.at" },
                { name: "All", type: "string", jsonPath: ".spec.list" },
                { name: "First", type: "string", jsonPath: ".spec.list[0]" },
                { name: "On", type: "boolean", jsonPath: ".spec.on" },
                { name: "Wrong", type: "integer", jsonPath: ".spec.name" },
                { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
              ],
            },
          },
        ),
      ),
      httpPost(widgetsPath, widget({ size: 3, name: "three", at: "2020-01-01T00:00:00Z", list: ["x", "y"], on: true }), { show: [] }),
      httpPost(widgetsPath, widget({ at: "never" }, { name: "b" }), { show: [] }),
      httpGet(`${widgetsPath}?includeObject=None`, { headers: asTable, show: ["columnDefinitions", "rows"] }),
    ],
  },
];
