import type { Json } from "../../../src/core/object/index.ts";
import { namespacedPath, httpPost, type ConformanceCase } from "../conformance-case.ts";

const template = { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "c", image: "example.com/good:1" }] } };
const selector = { matchLabels: { app: "web" } };

/** The defaults of a kind that is created with a minimal spec, and of each part with defaults of its own. */
function defaultsOf(name: string, apiVersion: string, resource: string, kind: string, body: { [field: string]: Json }): ConformanceCase {
  return {
    id: `defaults/${name}`,
    title: `the defaults of ${kind} (${name})`,
    steps: [
      httpPost(`${namespacedPath(apiVersion, resource)}?dryRun=All&fieldManager=one`, {
        apiVersion,
        kind,
        metadata: { name: "a" },
        ...body,
      }),
    ],
  };
}

const refused = (
  name: string,
  apiVersion: string,
  resource: string,
  kind: string,
  bodies: readonly { [field: string]: Json }[],
): ConformanceCase => ({
  id: `defaults/refused-${name}`,
  title: `what ${kind} refuses (${name})`,
  steps: bodies.map((body) =>
    httpPost(`${namespacedPath(apiVersion, resource)}?dryRun=All`, { apiVersion, kind, metadata: { name: "a" }, ...body }, { expect: 422 }),
  ),
});

const fullContainer = {
  name: "c",
  image: "example.com/good",
  ports: [{ containerPort: 80 }],
  env: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }],
  livenessProbe: { httpGet: { port: 80 } },
  readinessProbe: { tcpSocket: { port: 80 } },
  startupProbe: { exec: { command: ["true"] } },
  resources: { limits: { cpu: "1", memory: "1Gi" } },
  volumeMounts: [{ name: "cfg", mountPath: "/etc/cfg" }],
  lifecycle: { preStop: { httpGet: { port: 80 } } },
};
const volumes = [
  { name: "cfg", configMap: { name: "cfg" } },
  { name: "sec", secret: { secretName: "sec" } },
  { name: "dwn", downwardAPI: { items: [{ path: "n", fieldRef: { fieldPath: "metadata.name" } }] } },
  { name: "prj", projected: { sources: [{ serviceAccountToken: { path: "t" } }] } },
  { name: "hst", hostPath: { path: "/x" } },
  { name: "emp", emptyDir: {} },
];

/** The defaults and the validation rules of the built-in kinds. */
export const defaultsCases: readonly ConformanceCase[] = [
  defaultsOf("deployment", "apps/v1", "deployments", "Deployment", { spec: { selector, template } }),
  defaultsOf("deployment-recreate", "apps/v1", "deployments", "Deployment", {
    spec: { selector, template, strategy: { type: "Recreate" }, replicas: 0 },
  }),
  defaultsOf("pod-template", "apps/v1", "deployments", "Deployment", {
    spec: {
      selector,
      template: {
        metadata: { labels: { app: "web" } },
        spec: {
          containers: [fullContainer],
          volumes,
          initContainers: [{ name: "i", image: "example.com/i@sha256:0123456789012345678901234567890123456789012345678901234567890123" }],
        },
      },
    },
  }),
  defaultsOf("statefulset", "apps/v1", "statefulsets", "StatefulSet", {
    spec: {
      selector,
      template,
      serviceName: "web",
      volumeClaimTemplates: [
        { metadata: { name: "data" }, spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } },
      ],
    },
  }),
  defaultsOf("daemonset", "apps/v1", "daemonsets", "DaemonSet", { spec: { selector, template } }),
  defaultsOf("replicaset", "apps/v1", "replicasets", "ReplicaSet", { spec: { selector, template } }),
  defaultsOf("job", "batch/v1", "jobs", "Job", {
    spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "example.com/done:1" }] } } },
  }),
  defaultsOf("job-indexed", "batch/v1", "jobs", "Job", {
    spec: {
      completionMode: "Indexed",
      completions: 3,
      parallelism: 2,
      backoffLimitPerIndex: 1,
      podFailurePolicy: { rules: [{ action: "Ignore", onPodConditions: [{ type: "DisruptionTarget" }] }] },
      template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "example.com/done:1" }] } },
    },
  }),
  defaultsOf("cronjob", "batch/v1", "cronjobs", "CronJob", {
    spec: {
      schedule: "0 0 * * *",
      jobTemplate: {
        spec: { template: { spec: { restartPolicy: "OnFailure", containers: [{ name: "c", image: "example.com/done:1" }] } } },
      },
    },
  }),
  defaultsOf("pod", "v1", "pods", "Pod", { spec: { containers: [fullContainer], volumes } }),
  defaultsOf("service-headless", "v1", "services", "Service", {
    spec: {
      clusterIP: "None",
      ports: [
        { port: 80, name: "http" },
        { port: 443, name: "https", targetPort: "tls" },
      ],
      selector: { app: "web" },
    },
  }),
  defaultsOf("service-external-name", "v1", "services", "Service", { spec: { type: "ExternalName", externalName: "example.com" } }),
  defaultsOf("secret", "v1", "secrets", "Secret", { stringData: { a: "plain" }, data: { b: "Yg==" } }),
  defaultsOf("pvc", "v1", "persistentvolumeclaims", "PersistentVolumeClaim", {
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  }),
  defaultsOf("endpoints", "v1", "endpoints", "Endpoints", { subsets: [{ addresses: [{ ip: "10.1.2.3" }], ports: [{ port: 80 }] }] }),
  defaultsOf("endpointslice", "discovery.k8s.io/v1", "endpointslices", "EndpointSlice", {
    addressType: "IPv4",
    endpoints: [{ addresses: ["10.1.2.3"] }],
    ports: [{ port: 80 }],
  }),
  defaultsOf("ingress", "networking.k8s.io/v1", "ingresses", "Ingress", {
    spec: {
      rules: [
        {
          host: "a.example.com",
          http: { paths: [{ path: "/", pathType: "Prefix", backend: { service: { name: "web", port: { number: 80 } } } }] },
        },
      ],
    },
  }),
  defaultsOf("networkpolicy", "networking.k8s.io/v1", "networkpolicies", "NetworkPolicy", {
    spec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }] }], egress: [{}] },
  }),
  defaultsOf("networkpolicy-least", "networking.k8s.io/v1", "networkpolicies", "NetworkPolicy", { spec: { podSelector: {} } }),
  defaultsOf("hpa", "autoscaling/v2", "horizontalpodautoscalers", "HorizontalPodAutoscaler", {
    spec: {
      maxReplicas: 3,
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
      behavior: { scaleDown: { policies: [{ type: "Pods", value: 1, periodSeconds: 60 }] } },
    },
  }),
  defaultsOf("hpa-least", "autoscaling/v2", "horizontalpodautoscalers", "HorizontalPodAutoscaler", {
    spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" } },
  }),
  defaultsOf("pdb", "policy/v1", "poddisruptionbudgets", "PodDisruptionBudget", { spec: { minAvailable: "50%", selector } }),
  defaultsOf("role", "rbac.authorization.k8s.io/v1", "roles", "Role", {
    rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }],
  }),
  defaultsOf("rolebinding", "rbac.authorization.k8s.io/v1", "rolebindings", "RoleBinding", {
    roleRef: { kind: "Role", name: "r" },
    subjects: [
      { kind: "ServiceAccount", name: "default", namespace: "x" },
      { kind: "User", name: "bob" },
    ],
  }),
  ...["", "a", "job-name", "batch.kubernetes.io/job-name"].map((label) =>
    defaultsOf(`job-labels-${label === "" ? "none" : label.replace("/", "-")}`, "batch/v1", "jobs", "Job", {
      spec: {
        template: {
          metadata: label === "" ? {} : { labels: { [label]: "a" } },
          spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] },
        },
      },
    }),
  ),
  defaultsOf("limitrange", "v1", "limitranges", "LimitRange", {
    spec: { limits: [{ type: "Container", max: { cpu: "2" }, default: { cpu: "1" } }] },
  }),
  defaultsOf("resourcequota", "v1", "resourcequotas", "ResourceQuota", { spec: { hard: { pods: "10", "requests.cpu": "1000m" } } }),
  defaultsOf("serviceaccount", "v1", "serviceaccounts", "ServiceAccount", {}),
  defaultsOf("lease", "coordination.k8s.io/v1", "leases", "Lease", {
    spec: { holderIdentity: "me", leaseDurationSeconds: 15, renewTime: "2030-01-01T00:00:00.000000Z" },
  }),
  {
    id: "defaults/cluster-kinds",
    title: "the defaults of kinds without a namespace",
    namespaces: 0,
    steps: [
      httpPost("/api/v1/persistentvolumes?dryRun=All", {
        apiVersion: "v1",
        kind: "PersistentVolume",
        metadata: { name: "{unique}" },
        spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/x" } },
      }),
      httpPost("/apis/storage.k8s.io/v1/storageclasses?dryRun=All", {
        apiVersion: "storage.k8s.io/v1",
        kind: "StorageClass",
        metadata: { name: "{unique}" },
        provisioner: "example.com/p",
      }),
      httpPost("/apis/scheduling.k8s.io/v1/priorityclasses?dryRun=All", {
        apiVersion: "scheduling.k8s.io/v1",
        kind: "PriorityClass",
        metadata: { name: "{unique}" },
        value: 5,
      }),
      httpPost("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings?dryRun=All", {
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: "ClusterRoleBinding",
        metadata: { name: "{unique}" },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" },
        subjects: [{ kind: "Group", name: "g" }],
      }),
      httpPost("/apis/networking.k8s.io/v1/ingressclasses?dryRun=All", {
        apiVersion: "networking.k8s.io/v1",
        kind: "IngressClass",
        metadata: { name: "{unique}" },
        spec: { controller: "example.com/i" },
      }),
      httpPost("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations?dryRun=All", {
        apiVersion: "admissionregistration.k8s.io/v1",
        kind: "ValidatingWebhookConfiguration",
        metadata: { name: "{unique}" },
        webhooks: [
          {
            name: "a.example.com",
            clientConfig: { service: { namespace: "default", name: "w" } },
            rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] }],
            sideEffects: "None",
            admissionReviewVersions: ["v1"],
          },
        ],
      }),
      httpPost("/api/v1/nodes?dryRun=All", { apiVersion: "v1", kind: "Node", metadata: { name: "{unique}" } }),
      httpPost("/api/v1/namespaces?dryRun=All", { apiVersion: "v1", kind: "Namespace", metadata: { name: "{unique}" } }),
    ],
  },
  refused("deployment", "apps/v1", "deployments", "Deployment", [
    { spec: { selector: { matchLabels: { a: "b" } }, template: { metadata: { labels: { a: "c" } }, spec: { containers: [] } } } },
    { spec: {} },
    { spec: { selector, template, replicas: -1 } },
    { spec: { selector, template, strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } } },
    { spec: { selector, template: { ...template, spec: { ...template.spec, restartPolicy: "Never" } } } },
  ]),
  refused("pod", "v1", "pods", "Pod", [
    { spec: { containers: [] } },
    { spec: { containers: [{ name: "c" }] } },
    { spec: { containers: [{ name: "C_C", image: "x" }] } },
    {
      spec: {
        containers: [
          { name: "c", image: "x" },
          { name: "c", image: "y" },
        ],
      },
    },
    { spec: { containers: [{ name: "c", image: "x", volumeMounts: [{ name: "none", mountPath: "/x" }] }] } },
    { spec: { containers: [{ name: "c", image: "x", resources: { requests: { cpu: "2" }, limits: { cpu: "1" } } }] } },
    { spec: { containers: [{ name: "c", image: "x", ports: [{ containerPort: 99999 }] }] } },
    { spec: { containers: [{ name: "c", image: "x", imagePullPolicy: "Sometimes" }], restartPolicy: "Perhaps" } },
    { spec: { containers: [{ name: "c", image: "x", env: [{ name: "", value: "x" }] }] } },
  ]),
  refused("service", "v1", "services", "Service", [
    { spec: { ports: [] } },
    { spec: { ports: [{ port: 0 }] } },
    { spec: { ports: [{ port: 80 }, { port: 81 }] } },
    { spec: { type: "Strange", ports: [{ port: 80 }] } },
    { spec: { type: "ExternalName" } },
  ]),
  refused("job", "batch/v1", "jobs", "Job", [
    { spec: { template: { spec: { containers: [{ name: "c", image: "x" }] } } } },
    { spec: { parallelism: -1, template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "x" }] } } } },
    { spec: { completionMode: "Strange", template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "x" }] } } } },
  ]),
  refused("statefulset", "apps/v1", "statefulsets", "StatefulSet", [
    { spec: { selector: { matchLabels: { a: "b" } }, serviceName: "s", template } },
  ]),
  refused("ingress", "networking.k8s.io/v1", "ingresses", "Ingress", [
    { spec: {} },
    {
      spec: {
        rules: [{ http: { paths: [{ path: "x", pathType: "Prefix", backend: { service: { name: "w", port: { number: 80 } } } }] } }],
      },
    },
  ]),
  refused("cronjob", "batch/v1", "cronjobs", "CronJob", [
    {
      spec: {
        schedule: "never",
        jobTemplate: { spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "x" }] } } } },
      },
    },
  ]),
  refused("pvc", "v1", "persistentvolumeclaims", "PersistentVolumeClaim", [
    { spec: {} },
    { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "0" } } } },
  ]),
];
