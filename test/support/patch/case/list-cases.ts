import { role, service, web, type PatchCase } from "../patch-case.ts";

const head = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\n";
const serviceHead = "apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop}\n";
const spec = (text: string): PatchCase["patches"] => [{ patch: `${head}spec: {template: {spec: ${text}}}` }];
const container = (text: string): PatchCase["patches"] => spec(`{containers: [{name: web, ${text}}]}`);
const ports = (text: string): PatchCase["patches"] => [{ patch: `${serviceHead}spec: {ports: ${text}}` }];
const finalizers = (text: string): PatchCase["patches"] => [
  { patch: `apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop, ${text}}` },
];

/** Strategic merge patches of lists: by key, by two keys, of scalars, and such as are replaced. */
export const listCases: readonly PatchCase[] = [
  { what: "containers merge by name", objects: web, patches: container("image: web:2") },
  { what: "a new container comes first", objects: web, patches: spec("{containers: [{name: new, image: new:1}]}") },
  {
    what: "new and old containers in one patch",
    objects: web,
    patches: spec("{containers: [{name: side, image: side:2}, {name: new, image: new:1}, {name: web, image: web:2}]}"),
  },
  { what: "$patch: delete of a container", objects: web, patches: spec("{containers: [{name: side, $patch: delete}]}") },
  { what: "$patch: delete of a missing container", objects: web, patches: spec("{containers: [{name: none, $patch: delete}]}") },
  {
    what: "$patch: delete of one container and merge of another",
    objects: web,
    patches: spec("{containers: [{$patch: delete, name: web}, {name: side, image: side:2}]}"),
  },
  {
    what: "$patch: delete of all containers",
    objects: web,
    patches: spec("{containers: [{$patch: delete, name: web}, {$patch: delete, name: side}]}"),
  },
  { what: "$patch: replace of a container", objects: web, patches: spec("{containers: [{name: web, $patch: replace, image: web:9}]}") },
  {
    what: "$patch: replace of the list of containers",
    objects: web,
    patches: spec("{containers: [{$patch: replace}, {name: only, image: only:1}]}"),
  },
  {
    what: "$patch: replace at the end of the list of containers",
    objects: web,
    patches: spec("{containers: [{name: only, image: only:1}, {$patch: replace}]}"),
  },
  { what: "$patch: delete of the list of containers", objects: web, patches: spec("{containers: [{$patch: delete}]}") },
  {
    what: "$patch: merge of the list of containers",
    objects: web,
    patches: spec("{containers: [{$patch: merge}, {name: web, image: web:2}]}"),
  },
  { what: "$patch: merge of a container", objects: web, patches: spec("{containers: [{$patch: merge, name: web, image: web:2}]}") },
  { what: "an unknown $patch of a list", objects: web, patches: spec("{containers: [{$patch: remove}]}") },
  { what: "null deletes a list", objects: web, patches: spec("{volumes: null}") },
  { what: "an empty list changes nothing in a list by key", objects: web, patches: spec("{volumes: []}") },
  { what: "an empty list replaces a list without key", objects: web, patches: spec("{tolerations: []}") },
  { what: "a container without its key", objects: web, patches: spec("{containers: [{image: x}]}") },
  {
    what: "$setElementOrder",
    objects: web,
    patches: spec("{$setElementOrder/containers: [{name: side}, {name: web}], containers: [{name: web, image: web:2}]}"),
  },
  {
    what: "init containers are added",
    objects: web,
    patches: spec("{initContainers: [{name: init, image: init:1, env: [{name: X, value: v}]}]}"),
  },
  {
    what: "$patch: delete in an added list",
    objects: web,
    patches: spec("{initContainers: [{name: init, $patch: delete}, {name: two, image: two:1}]}"),
  },
  {
    what: "$patch: replace in an added list",
    objects: web,
    patches: spec("{initContainers: [{$patch: replace}, {name: two, image: two:1}]}"),
  },
  {
    what: "nulls in an added element are left out",
    objects: web,
    patches: spec("{containers: [{name: new, image: new:1, command: null, resources: {limits: null}}]}"),
  },
  { what: "env merges by name", objects: web, patches: container("env: [{name: B, value: '3'}, {name: C, value: '4'}]") },
  {
    what: "a value of env gives way to a reference",
    objects: web,
    patches: container("env: [{name: A, value: null, valueFrom: {fieldRef: {fieldPath: status.podIP}}}]"),
  },
  { what: "$patch: delete of env", objects: web, patches: container("env: [{name: A, $patch: delete}]") },
  { what: "$patch: replace of the list of env", objects: web, patches: container("env: [{$patch: replace}, {name: Z, value: '9'}]") },
  { what: "args are replaced", objects: web, patches: container("args: [three]") },
  {
    what: "ports of a container merge by port and protocol",
    objects: web,
    patches: container("ports: [{containerPort: 53, protocol: TCP, name: dns}]"),
  },
  { what: "a port of a container without protocol", objects: web, patches: container("ports: [{containerPort: 80, name: renamed}]") },
  {
    what: "a port of a container without protocol, where there is one with",
    objects: web,
    patches: container("ports: [{containerPort: 53, name: renamed}]"),
  },
  {
    what: "a port with protocol, where there is one without",
    objects: web,
    patches: container("ports: [{containerPort: 80, protocol: TCP, name: renamed}]"),
  },
  { what: "$patch: delete of a port of a container", objects: web, patches: container("ports: [{containerPort: 80, $patch: delete}]") },
  {
    what: "volume mounts merge by path",
    objects: web,
    patches: container("volumeMounts: [{mountPath: /tmp, name: conf, readOnly: true}, {mountPath: /x, name: tmp}]"),
  },
  { what: "volumes merge by name, and keep both sources", objects: web, patches: spec("{volumes: [{name: tmp, hostPath: {path: /x}}]}") },
  { what: "a volume changes its source", objects: web, patches: spec("{volumes: [{name: tmp, emptyDir: null, hostPath: {path: /x}}]}") },
  {
    what: "$retainKeys of a volume",
    objects: web,
    patches: spec("{volumes: [{name: tmp, $retainKeys: [name, hostPath], hostPath: {path: /x}}]}"),
  },
  { what: "$patch: replace of a volume", objects: web, patches: spec("{volumes: [{name: tmp, $patch: replace, hostPath: {path: /x}}]}") },
  { what: "tolerations are replaced", objects: web, patches: spec("{tolerations: [{key: b, operator: Exists}]}") },
  {
    what: "$patch: replace in a list that is replaced",
    objects: web,
    patches: spec("{tolerations: [{$patch: replace}, {key: b, operator: Exists}]}"),
  },
  {
    what: "topology constraints merge by two keys",
    objects: web,
    patches: spec(
      "{topologySpreadConstraints: [{topologyKey: zone, whenUnsatisfiable: DoNotSchedule, maxSkew: 1}, {topologyKey: zone, whenUnsatisfiable: ScheduleAnyway, maxSkew: 2}]}",
    ),
  },
  { what: "image pull secrets are added", objects: web, patches: spec("{imagePullSecrets: [{name: a}, {name: b}]}") },
  {
    what: "ports of a Service merge by port and protocol",
    objects: service,
    patches: ports("[{port: 53, protocol: TCP, nodePort: 30053}]"),
  },
  { what: "a port of a Service without protocol", objects: service, patches: ports("[{port: 53, nodePort: 30053}]") },
  { what: "a new port of a Service", objects: service, patches: ports("[{port: 80, name: http}]") },
  { what: "a new port of a Service with protocol", objects: service, patches: ports("[{port: 80, protocol: TCP, name: http}]") },
  { what: "$patch: delete of a port of a Service", objects: service, patches: ports("[{port: 53, protocol: UDP, $patch: delete}]") },
  { what: "a port written as a text", objects: service, patches: ports('[{port: "53", protocol: UDP, nodePort: 30053}]') },
  { what: "finalizers merge", objects: service, patches: finalizers("finalizers: [a.io/three, a.io/one]") },
  { what: "$deleteFromPrimitiveList", objects: service, patches: finalizers("$deleteFromPrimitiveList/finalizers: [a.io/one]") },
  { what: "$setElementOrder of scalars", objects: service, patches: finalizers("$setElementOrder/finalizers: [a.io/two, a.io/one]") },
  { what: "null deletes finalizers", objects: service, patches: finalizers("finalizers: null") },
  {
    what: "owner references merge by uid",
    objects: service,
    patches: finalizers("ownerReferences: [{uid: u1, name: a, kind: A, apiVersion: v1}]"),
  },
  {
    what: "rules of a role are replaced",
    objects: role,
    patches: [
      {
        patch:
          "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: reader}\nrules: [{apiGroups: [apps], resources: [deployments], verbs: [get]}]",
      },
    ],
  },
  {
    what: "env that is there twice and is not patched",
    objects: web.replace("{name: B", "{name: A"),
    patches: [{ patch: `${head}spec: {replicas: 2}` }],
  },
  {
    what: "ports with and without protocol that are not patched",
    objects: service.replace("{port: 53, protocol: TCP", "{port: 80"),
    patches: [{ patch: `${serviceHead}spec: {type: NodePort}` }],
  },
];
