import type { Json } from "../../../src/core/object/index.ts";
import { httpPost, mergePatch, namespacedPath, type ConformanceCase, type RequestStep } from "../conformance-case.ts";
import { keyPairs } from "./warning-key-pairs.ts";
import { podWarnings } from "./warning-pods.ts";

type JsonFields = { readonly [field: string]: Json };

const dryRun = "?dryRun=All";
const pods = namespacedPath("v1", "pods");
const podTemplates = namespacedPath("v1", "podtemplates");
const services = namespacedPath("v1", "services");
const containers = [{ name: "a", image: "a" }];
const template = (spec: JsonFields, metadata: JsonFields = {}) => ({
  metadata: { labels: { app: "a" }, ...metadata },
  spec: { containers, ...spec },
});
const oldLabel = template({ nodeSelector: { "beta.kubernetes.io/os": "linux" } });
const selector = { matchLabels: { app: "a" } };

/** Creates something without storing it. What is compared is the warnings. */
function tried(path: string, body: JsonFields, metadata: JsonFields = {}): RequestStep {
  return httpPost(`${path}${dryRun}`, { metadata: { name: "a", ...metadata }, ...body }, { show: [] });
}

const service = (spec: JsonFields, metadata: JsonFields = {}) => tried(services, { spec: { ports: [{ port: 80 }], ...spec } }, metadata);

/** A name that is no label, something odd, a change beside it, and one after which it is looked at again. */
function changed(path: string, body: JsonFields, change: JsonFields, name = "a.b"): readonly RequestStep[] {
  return [
    httpPost(path, { metadata: { name }, ...body }, { show: [] }),
    mergePatch(`${path}/${name}`, { metadata: { labels: { x: "y" } } }, { show: [] }),
    mergePatch(`${path}/${name}`, change, { show: [] }),
  ];
}

const clusterWide = (apiVersion: string, resource: string) => `/apis/${apiVersion}/${resource}`;
const oldKey = { key: "failure-domain.beta.kubernetes.io/zone" };
const claimSpec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1.5" }, limits: { storage: "2.5" } } };
const volumeSpec = { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"] };
const profiles = ["unconfined", "runtime/default", "localhost/x", "localhost/", "localhost/ x"];
const appArmor = (profile: string) => ({ annotations: { "container.apparmor.security.beta.kubernetes.io/a": profile } });
const runtimeDefault = { securityContext: { appArmorProfile: { type: "RuntimeDefault" } } };
const armed = { show: ["spec.containers", "spec.securityContext", "metadata.annotations"] };

export const warningCases: readonly ConformanceCase[] = [
  {
    id: "warning/pods",
    title: "what is odd about a pod is said in warnings",
    steps: [
      ...podWarnings.map(({ spec, metadata }) => tried(pods, { spec: { containers, ...spec } }, metadata)),
      tried(pods, { spec: { containers } }, { name: "a.b" }),
    ],
  },
  {
    id: "warning/pod-templates",
    title: "the same of templates, with their path",
    steps: podWarnings.map(({ spec, metadata }) => tried(podTemplates, { template: template(spec, metadata) })),
  },
  {
    id: "warning/app-armor",
    title: "annotations of AppArmor become fields of a pod's containers",
    steps: [...profiles, "other"].flatMap((profile) => {
      const metadata = { name: "a", ...appArmor(profile) };
      const shown = { ...armed, ...(profile === "other" ? { expect: 422 } : {}) };
      return [
        httpPost(`${pods}${dryRun}`, { metadata, spec: { containers } }, shown),
        httpPost(`${pods}${dryRun}`, { metadata, spec: { containers, os: { name: "windows" } } }, shown),
        ...(profile === "runtime/default"
          ? [httpPost(`${pods}${dryRun}`, { metadata, spec: { containers, ...runtimeDefault } }, armed)]
          : []),
      ];
    }),
  },
  {
    id: "warning/app-armor-templates",
    title: "annotations of AppArmor in templates stay as they are",
    steps: profiles.flatMap((profile) => [
      tried(podTemplates, { template: template({}, appArmor(profile)) }),
      ...(profile === "runtime/default" ? [tried(podTemplates, { template: template(runtimeDefault, appArmor(profile)) })] : []),
      ...(profile === "unconfined"
        ? [
            httpPost(
              `${podTemplates}${dryRun}`,
              { metadata: { name: "a" }, template: template(runtimeDefault, appArmor(profile)) },
              { expect: 422 },
            ),
          ]
        : []),
    ]),
  },
  {
    id: "warning/workloads",
    title: "workloads are warned of by their templates, again when their spec changes",
    steps: [
      ...changed(
        namespacedPath("apps/v1", "deployments"),
        { spec: { replicas: 0, selector, template: oldLabel } },
        { spec: { paused: true } },
      ),
      ...changed(
        namespacedPath("apps/v1", "replicasets"),
        { spec: { replicas: 0, selector, template: oldLabel } },
        { spec: { minReadySeconds: 1 } },
      ),
      ...changed(
        namespacedPath("v1", "replicationcontrollers"),
        { spec: { replicas: 0, selector: { app: "a" }, template: oldLabel } },
        { spec: { template: { spec: { nodeSelector: null } } } },
      ),
      tried(namespacedPath("apps/v1", "daemonsets"), { spec: { selector, template: oldLabel } }, { name: "a.b" }),
      ...changed(namespacedPath("v1", "podtemplates"), { template: oldLabel }, { template: { metadata: { labels: { b: "c" } } } }),
    ],
  },
  {
    id: "warning/stateful-sets",
    title: "stateful sets are warned of by their claims too",
    steps: changed(
      namespacedPath("apps/v1", "statefulsets"),
      {
        spec: {
          replicas: 0,
          selector,
          template: oldLabel,
          revisionHistoryLimit: -1,
          volumeClaimTemplates: [{ metadata: { name: "a" }, spec: claimSpec }],
        },
      },
      { spec: { minReadySeconds: 1 } },
      "a",
    ),
  },
  {
    id: "warning/jobs",
    title: "jobs and cron jobs",
    steps: [
      tried(namespacedPath("batch/v1", "jobs"), {
        spec: { template: template({ restartPolicy: "Never", hostAliases: [{ ip: "01.2.3.4" }] }) },
      }),
      tried(
        namespacedPath("batch/v1", "jobs"),
        {
          spec: {
            completionMode: "Indexed",
            completions: 100_001,
            parallelism: 10_001,
            template: template({ restartPolicy: "Never" }),
          },
        },
        { name: "a" },
      ),
      tried(namespacedPath("batch/v1", "jobs"), { spec: { template: template({ restartPolicy: "Never" }) } }, { name: "a.b" }),
      ...changed(
        namespacedPath("batch/v1", "cronjobs"),
        {
          spec: {
            schedule: "0 0 1 1 *",
            suspend: true,
            jobTemplate: { spec: { template: template({ restartPolicy: "Never", terminationGracePeriodSeconds: -1 }) } },
          },
        },
        { spec: { successfulJobsHistoryLimit: 1 } },
      ),
    ],
  },
  {
    id: "warning/services",
    title: "what a service has and does not use",
    steps: [
      service({}),
      service({}, { annotations: { "service.kubernetes.io/topology-aware-hints": "auto" } }),
      service({ clusterIP: "None", loadBalancerIP: "1.2.3.4", externalIPs: ["1.2.3.4"], sessionAffinity: "ClientIP" }),
      service({ externalIPs: ["01.2.3.4", "1.2.3.4", "2001:0db8::1"] }),
      service({
        type: "LoadBalancer",
        loadBalancerIP: "::ffff:1.2.3.4",
        loadBalancerSourceRanges: ["10.0.0.1/8", "010.0.0.0/8", "2001:DB8::/32", "10.0.0.0/08", "2001:db8::1/32"],
      }),
      service({ type: "ExternalName", externalName: "a", externalIPs: ["1.2.3.4"] }),
      service({ externalName: "a" }),
      service({ trafficDistribution: "PreferClose" }),
      httpPost(
        services,
        { metadata: { name: "a" }, spec: { ports: [{ port: 80 }], type: "LoadBalancer", loadBalancerClass: "a/b" } },
        { show: [] },
      ),
      mergePatch(`${services}/a/status`, { status: { loadBalancer: { ingress: [{ ip: "01.2.3.4" }, { hostname: "a" }] } } }, { show: [] }),
      mergePatch(`${services}/a`, { spec: { externalName: "b" } }, { show: [] }),
    ],
  },
  {
    id: "warning/network",
    title: "ingresses, network policies, endpoints and endpoint slices",
    steps: [
      tried(
        namespacedPath("networking.k8s.io/v1", "ingresses"),
        { spec: { defaultBackend: { service: { name: "a", port: { number: 80 } } } } },
        { annotations: { "kubernetes.io/ingress.class": "a" } },
      ),
      tried(namespacedPath("networking.k8s.io/v1", "networkpolicies"), {
        spec: {
          podSelector: {},
          ingress: [{ from: [{ ipBlock: { cidr: "10.0.0.1/8", except: ["10.1.0.1/16"] } }] }],
          egress: [{ to: [{ ipBlock: { cidr: "2001:DB8::/32" } }] }],
        },
      }),
      tried(namespacedPath("v1", "endpoints"), {
        subsets: [{ addresses: [{ ip: "010.0.0.1" }], notReadyAddresses: [{ ip: "2001:DB8::1" }], ports: [{ port: 80 }] }],
      }),
      tried(namespacedPath("discovery.k8s.io/v1", "endpointslices"), { addressType: "FQDN", endpoints: [{ addresses: ["a.example"] }] }),
      tried(namespacedPath("discovery.k8s.io/v1", "endpointslices"), { addressType: "IPv4", endpoints: [{ addresses: ["10.0.0.1"] }] }),
    ],
  },
  {
    id: "warning/storage",
    title: "volumes, claims, storage classes and drivers",
    steps: [
      tried(
        "/api/v1/persistentvolumes",
        {
          spec: {
            ...volumeSpec,
            persistentVolumeReclaimPolicy: "Recycle",
            nfs: { server: "a", path: "/a" },
            nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ ...oldKey, operator: "Exists" }] }] } },
          },
        },
        {
          name: "{unique}-a",
          annotations: { "volume.beta.kubernetes.io/storage-class": "a", "volume.beta.kubernetes.io/mount-options": "a" },
        },
      ),
      ...[
        { cephfs: { monitors: ["a"] } },
        { photonPersistentDisk: { pdID: "a" } },
        { scaleIO: { gateway: "a", system: "a", volumeName: "a", secretRef: { name: "a", namespace: "b" } } },
        { storageos: { volumeName: "a", volumeNamespace: "b" } },
        { glusterfs: { endpoints: "a", path: "a" } },
        { rbd: { monitors: ["a"], image: "a" } },
      ].map((source) => tried("/api/v1/persistentvolumes", { spec: { ...volumeSpec, ...source } }, { name: "{unique}-a" })),
      tried(
        namespacedPath("v1", "persistentvolumeclaims"),
        { spec: claimSpec },
        { annotations: { "volume.beta.kubernetes.io/storage-class": "a" } },
      ),
      tried(
        clusterWide("storage.k8s.io/v1", "storageclasses"),
        { provisioner: "a/b", allowedTopologies: [{ matchLabelExpressions: [{ ...oldKey, values: ["a"] }] }] },
        { name: "{unique}-a" },
      ),
      tried(namespacedPath("storage.k8s.io/v1", "csistoragecapacities"), {
        storageClassName: "a",
        nodeTopology: { matchLabels: { [oldKey.key]: "a" }, matchExpressions: [{ ...oldKey, operator: "Exists" }] },
      }),
      tried(clusterWide("storage.k8s.io/v1", "csidrivers"), { spec: { tokenRequests: [{ audience: "a" }] } }, { name: "{unique}-a" }),
    ],
  },
  {
    id: "warning/other-kinds",
    title: "nodes, accounts, quotas, runtime classes and resource slices",
    steps: [
      tried("/api/v1/nodes", { spec: { externalID: "a", podCIDR: "10.0.0.1/8", podCIDRs: ["10.0.0.1/8"] } }, { name: "{unique}-a" }),
      tried(namespacedPath("v1", "serviceaccounts"), {}, { annotations: { "kubernetes.io/enforce-mountable-secrets": "true" } }),
      tried(namespacedPath("v1", "resourcequotas"), {
        spec: {
          hard: {
            "requests.cpu": "2",
            "limits.cpu": "1",
            memory: "1500M",
            "limits.memory": "1Gi",
            "requests.ephemeral-storage": "1Gi",
            "limits.ephemeral-storage": "2Gi",
          },
        },
      }),
      tried(
        clusterWide("node.k8s.io/v1", "runtimeclasses"),
        { handler: "a", scheduling: { nodeSelector: { "beta.kubernetes.io/os": "a" } } },
        { name: "{unique}-a" },
      ),
    ],
  },
  {
    id: "warning/key-pairs",
    title: "a Secret whose certificate and key do not belong together",
    steps: keyPairs.map((stringData) => tried(namespacedPath("v1", "secrets"), { type: "kubernetes.io/tls", stringData })),
  },
];
