import type { Json } from "../../../src/core/object/index.ts";
import { httpGet, httpPost, httpPut, type CaseStep, type ConformanceCase, type Until } from "../conformance-case.ts";

type Body = { readonly [field: string]: Json };

/** An object that is shown as a table. Its name is unique where it has no namespace. */
type Shown = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly resource: string;
  readonly body: Body;
  readonly status?: Body;
  readonly metadata?: Body;
  /** What a controller makes of it before it is shown. */
  readonly until?: Until;
  readonly cluster?: boolean;
};

export const asTable = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io,application/json" };
const tableParts = ["kind", "apiVersion", "columnDefinitions", "rows"];

/** Makes an object, writes its status if it has one, and reads it as a table. */
function shownSteps({ apiVersion, kind, resource, body, status, metadata, until, cluster = false }: Shown): readonly CaseStep[] {
  const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const path = `${root}${cluster ? "" : "/namespaces/{ns}"}/${resource}`;
  const name = cluster ? "{unique}" : "shown";
  const object = { apiVersion, kind, metadata: { name, ...metadata }, ...body };
  return [
    httpPost(path, object, { show: [] }),
    ...(status === undefined ? [] : [httpPut(`${path}/${name}/status`, { ...object, status }, { show: [] })]),
    ...(until === undefined ? [] : [{ waitFor: `${path}/${name}`, until, show: [] }]),
    httpGet(`${path}/${name}?includeObject=None`, { headers: asTable, show: tableParts }),
  ];
}

const containers = [
  { name: "a", image: "example.com/a:1" },
  { name: "b", image: "example.com/b:2" },
];
const labels = { app: "web", tier: "front" };
const template = { metadata: { labels }, spec: { containers } };
const selector = { matchLabels: { app: "web" }, matchExpressions: [{ key: "tier", operator: "In", values: ["front", "back"] }] };

const workloads: readonly Shown[] = [
  { apiVersion: "apps/v1", kind: "Deployment", resource: "deployments", body: { spec: { replicas: 0, selector, template } } },
  { apiVersion: "apps/v1", kind: "ReplicaSet", resource: "replicasets", body: { spec: { replicas: 0, selector, template } } },
  {
    apiVersion: "v1",
    kind: "ReplicationController",
    resource: "replicationcontrollers",
    body: { spec: { replicas: 0, selector: labels, template } },
  },
  {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    resource: "statefulsets",
    body: { spec: { replicas: 0, serviceName: "web", selector, template } },
  },
  {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    resource: "daemonsets",
    body: { spec: { selector, template: { ...template, spec: { containers, nodeSelector: { none: "such" } } } } },
  },
  {
    apiVersion: "batch/v1",
    kind: "CronJob",
    resource: "cronjobs",
    body: {
      spec: {
        schedule: "0 0 1 1 *",
        timeZone: "Etc/UTC",
        suspend: true,
        jobTemplate: { spec: { template: { spec: { containers, restartPolicy: "Never" } } } },
      },
    },
  },
  { apiVersion: "v1", kind: "PodTemplate", resource: "podtemplates", body: { template } },
  { apiVersion: "apps/v1", kind: "ControllerRevision", resource: "controllerrevisions", body: { revision: 3, data: { a: 1 } } },
  {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    resource: "poddisruptionbudgets",
    body: { spec: { minAvailable: "50%", selector: { matchLabels: { none: "such" } } } },
  },
  {
    apiVersion: "scheduling.k8s.io/v1",
    kind: "PriorityClass",
    resource: "priorityclasses",
    body: { value: 12, description: "mine" },
    cluster: true,
  },
  { apiVersion: "node.k8s.io/v1", kind: "RuntimeClass", resource: "runtimeclasses", body: { handler: "runc" }, cluster: true },
];

const network: readonly Shown[] = [
  {
    apiVersion: "networking.k8s.io/v1",
    kind: "Ingress",
    resource: "ingresses",
    body: {
      spec: {
        ingressClassName: "nginx",
        tls: [{ hosts: ["a.example"] }],
        rules: ["a", "b", "c", "d"].map((host) => ({ host: `${host}.example` })),
        defaultBackend: { service: { name: "web", port: { number: 80 } } },
      },
    },
    status: { loadBalancer: { ingress: [{ hostname: "z.example" }, { ip: "192.0.2.1" }] } },
  },
  {
    apiVersion: "networking.k8s.io/v1",
    kind: "IngressClass",
    resource: "ingressclasses",
    body: { spec: { controller: "example.com/c", parameters: { apiGroup: "example.com", kind: "Config", name: "x" } } },
    cluster: true,
  },
  {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    resource: "networkpolicies",
    body: { spec: { podSelector: selector, policyTypes: ["Ingress"] } },
  },
  {
    apiVersion: "v1",
    kind: "Endpoints",
    resource: "endpoints",
    body: {
      subsets: [
        {
          addresses: [{ ip: "192.0.2.1" }, { ip: "192.0.2.2" }],
          ports: [
            { name: "a", port: 80 },
            { name: "b", port: 443 },
          ],
        },
      ],
    },
  },
  {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    resource: "endpointslices",
    body: {
      addressType: "IPv4",
      ports: [{ name: "a", port: 80 }],
      endpoints: ["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4"].map((address) => ({ addresses: [address] })),
    },
  },
  {
    apiVersion: "v1",
    kind: "Service",
    resource: "services",
    body: {
      spec: {
        clusterIP: "None",
        selector: labels,
        ports: [
          { name: "a", port: 80 },
          { name: "b", port: 53, protocol: "UDP" },
        ],
      },
    },
  },
];

const storage: readonly Shown[] = [
  {
    apiVersion: "v1",
    kind: "PersistentVolume",
    resource: "persistentvolumes",
    body: {
      spec: {
        capacity: { storage: "1Gi" },
        accessModes: ["ReadWriteMany", "ReadWriteOnce"],
        storageClassName: "none-such",
        hostPath: { path: "/x" },
        claimRef: { namespace: "{ns}", name: "absent" },
      },
    },
    until: { "status.phase": "Available" },
    cluster: true,
  },
  {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    resource: "persistentvolumeclaims",
    body: { spec: { accessModes: ["ReadWriteOnce"], storageClassName: "none-such", resources: { requests: { storage: "1Gi" } } } },
  },
  {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    resource: "storageclasses",
    body: { provisioner: "example.com/p", volumeBindingMode: "WaitForFirstConsumer", allowVolumeExpansion: true },
    cluster: true,
  },
  {
    apiVersion: "storage.k8s.io/v1",
    kind: "CSIDriver",
    resource: "csidrivers",
    body: {
      spec: {
        podInfoOnMount: true,
        serviceAccountTokenInSecrets: true,
        tokenRequests: [{ audience: "a" }, { audience: "b" }],
        volumeLifecycleModes: ["Ephemeral"],
      },
    },
    cluster: true,
  },
  { apiVersion: "storage.k8s.io/v1", kind: "CSINode", resource: "csinodes", body: { spec: { drivers: [] } }, cluster: true },
  {
    apiVersion: "storage.k8s.io/v1",
    kind: "CSIStorageCapacity",
    resource: "csistoragecapacities",
    body: { storageClassName: "fast", capacity: "1500Mi" },
  },
  {
    apiVersion: "storage.k8s.io/v1",
    kind: "VolumeAttachment",
    resource: "volumeattachments",
    body: { spec: { attacher: "example.com", nodeName: "n1", source: { persistentVolumeName: "pv" } } },
    cluster: true,
  },
  {
    apiVersion: "storage.k8s.io/v1",
    kind: "VolumeAttributesClass",
    resource: "volumeattributesclasses",
    body: { driverName: "example.com", parameters: { a: "b" } },
    cluster: true,
  },
];

const caseOf = (id: string, title: string, shown: readonly Shown[]): ConformanceCase => ({
  id: `table/${id}`,
  title,
  steps: shown.flatMap(shownSteps),
});

/** A table of each built-in kind. */
export const tableKindCases: readonly ConformanceCase[] = [
  caseOf("workloads", "workloads and what limits them, with the columns of each kind", workloads),
  caseOf("network", "services, ingresses and endpoints, with the columns of each kind", network),
  caseOf("storage", "volumes, claims and drivers, with the columns of each kind", storage),
];

export { shownSteps, caseOf as tableCaseOf, type Shown };
