import type { ProfilePatch } from "../../../src/sveltos/api/index.ts";

/** Objects, and patches for them as a profile writes them. */
export type PatchCase = { readonly what: string; readonly objects: string; readonly patches: readonly ProfilePatch[] };

/** What Kustomize made of a case: the objects, or its error. */
export type PatchAnswer = { readonly objects: readonly unknown[] } | { readonly refused: string };

/** A Deployment with lists of every kind: by key, by two keys, of scalars, and such as are replaced. */
export const web = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop, labels: {app: web, tier: front}, annotations: {team: shop}}
spec:
  replicas: 1
  strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1}}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      nodeSelector: {disk: ssd}
      tolerations: [{key: a, operator: Exists}]
      containers:
      - name: web
        image: web:1
        args: [one, two]
        env: [{name: A, value: "1"}, {name: B, value: "2"}]
        ports: [{containerPort: 80, name: http}, {containerPort: 53, protocol: UDP}]
        volumeMounts: [{name: tmp, mountPath: /tmp}]
      - {name: side, image: side:1}
      volumes: [{name: tmp, emptyDir: {}}, {name: conf, configMap: {name: conf}}]
`;

export const conf = `
apiVersion: v1
kind: ConfigMap
metadata: {name: conf, namespace: shop, labels: {tier: back}}
data: {a: "1", b: "2", "sl/ash": x, "til~de": t}
`;

export const service = `
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop, finalizers: [a.io/one, a.io/two]}
spec: {selector: {app: web}, ports: [{port: 53, protocol: UDP, name: dns}, {port: 53, protocol: TCP, name: dns-tcp}]}
`;

/** Of a kind that Kustomize has no schema of. */
export const widget = `
apiVersion: acme.io/v1
kind: Widget
metadata: {name: w, namespace: shop, finalizers: [a.io/one]}
spec: {size: 1, parts: [{name: a, size: 1}, {name: b, size: 2}], tags: [x], options: {deep: {x: 1, z: 2}}}
`;

export const role = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: reader}
rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]
`;

/** A ConfigMap that names no namespace. */
export const loose = `
apiVersion: v1
kind: ConfigMap
metadata: {name: loose}
data: {a: "1"}
`;

export const join = (...objects: readonly string[]): string => objects.join("---");
