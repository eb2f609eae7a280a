import type { Json } from "../../../src/core/object/index.ts";

type JsonFields = { readonly [field: string]: Json };

const container = (more: JsonFields, name = "a") => ({ name, image: "a", ...more });
const spread = { maxSkew: 1, whenUnsatisfiable: "DoNotSchedule" };
const term = { topologyKey: "kubernetes.io/hostname" };
const required = "requiredDuringSchedulingIgnoredDuringExecution";
const preferred = "preferredDuringSchedulingIgnoredDuringExecution";
const item = (path: string, key = "k") => ({ key, path });
const field = (path: string) => ({ path, fieldRef: { fieldPath: "metadata.name" } });

/** Pods with something odd about them. */
export const podWarnings: readonly { readonly spec: JsonFields; readonly metadata?: JsonFields }[] = [
  { spec: {} },
  { spec: { nodeSelector: { "beta.kubernetes.io/arch": "a" } } },
  {
    spec: {
      affinity: {
        nodeAffinity: {
          [required]: { nodeSelectorTerms: [{ matchExpressions: [{ key: "node-role.kubernetes.io/master", operator: "Exists" }] }] },
          [preferred]: [
            { weight: 1, preference: { matchExpressions: [{ key: "app.kubernetes.io/created-by", operator: "In", values: ["-a"] }] } },
          ],
        },
        podAffinity: { [required]: [term], [preferred]: [{ weight: 1, podAffinityTerm: term }] },
        podAntiAffinity: { [required]: [{ ...term, labelSelector: {} }], [preferred]: [{ weight: 1, podAffinityTerm: term }] },
      },
      topologySpreadConstraints: [
        { ...spread, topologyKey: "failure-domain.beta.kubernetes.io/zone" },
        { ...spread, topologyKey: "zone", labelSelector: {} },
      ],
    },
  },
  {
    spec: {},
    metadata: {
      annotations: {
        "scheduler.alpha.kubernetes.io/critical-pod": "",
        "security.alpha.kubernetes.io/sysctls": "a",
        "security.alpha.kubernetes.io/unsafe-sysctls": "a",
        "seccomp.security.alpha.kubernetes.io/pod": "runtime/default",
        "container.seccomp.security.alpha.kubernetes.io/a": "runtime/default",
      },
    },
  },
  {
    spec: {
      securityContext: { seccompProfile: { type: "RuntimeDefault" } },
      containers: [container({ securityContext: { seccompProfile: { type: "RuntimeDefault" } } })],
    },
    metadata: {
      annotations: {
        "seccomp.security.alpha.kubernetes.io/pod": "runtime/default",
        "container.seccomp.security.alpha.kubernetes.io/a": "runtime/default",
      },
    },
  },
  {
    spec: {
      volumes: [
        { name: "a", photonPersistentDisk: { pdID: "a" } },
        { name: "b", gitRepo: { repository: "a" } },
        { name: "c", scaleIO: { gateway: "a", system: "a", volumeName: "a", secretRef: { name: "a" } } },
        { name: "d", flocker: { datasetName: "a" } },
        { name: "e", storageos: { volumeName: "a" } },
        { name: "f", quobyte: { registry: "a:1", volume: "a" } },
        { name: "g", glusterfs: { endpoints: "a", path: "a" } },
        { name: "h", cephfs: { monitors: ["a"] } },
        { name: "i", rbd: { monitors: ["a"], image: "a" } },
        {
          name: "j",
          ephemeral: { volumeClaimTemplate: { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1.5" } } } } },
        },
      ],
    },
  },
  {
    spec: {
      volumes: [
        { name: "a", configMap: { name: "m", items: [item("x"), item("x/y"), item("z/"), item("x", "l")] } },
        { name: "b", secret: { secretName: "s", items: [item("x"), item("x")] } },
        { name: "c", downwardAPI: { items: [field("x/y"), field("x")] } },
        {
          name: "d",
          projected: {
            sources: [
              { configMap: { name: "m", items: [item("x"), item("v")] } },
              { secret: { name: "s", items: [item("x/z")] } },
              { downwardAPI: { items: [field("v/w")] } },
              { serviceAccountToken: { path: "x/y" } },
              { configMap: { name: "m" } },
            ],
          },
        },
        { name: "e", projected: { sources: [{}] } },
      ],
    },
  },
  {
    spec: { hostAliases: [{ ip: "10.0.0.1" }, { ip: "10.0.0.1" }, { ip: "::FFFF" }], imagePullSecrets: [{ name: "a" }, { name: "a" }, {}] },
  },
  { spec: { dnsConfig: { nameservers: ["010.0.0.1", "::ffff:1.2.3.4", "2001:DB8:0:0::1"] } } },
  {
    spec: {
      containers: [
        container({
          resources: { limits: { memory: "1500m", "ephemeral-storage": "0.5" }, requests: { memory: "1.0001", "ephemeral-storage": "1m" } },
        }),
      ],
      initContainers: [container({ resources: { requests: { memory: "1", cpu: "0.5" } } }, "b")],
    },
  },
  {
    spec: {
      containers: [
        container({
          env: [
            { name: "A", value: "1" },
            { name: "A", value: "2" },
            { name: "A", value: "$(A)" },
            { name: "A", value: "$(A)3" },
            { name: "A", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
            { name: "B" },
          ],
        }),
      ],
    },
  },
  {
    spec: {
      containers: [
        container({
          ports: [
            { containerPort: 80, name: "x" },
            { containerPort: 80, name: "y" },
            { containerPort: 80, hostPort: 81 },
            { containerPort: 80, hostPort: 81, hostIP: "10.0.0.1" },
            { containerPort: 80, protocol: "UDP" },
            { containerPort: 82, hostIP: "10.0.0.1" },
          ],
        }),
        container({ ports: [{ containerPort: 80 }, { containerPort: 83, name: "x" }] }, "b"),
      ],
    },
  },
  { spec: { terminationGracePeriodSeconds: -1 } },
];
