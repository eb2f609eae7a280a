import { listAt, valueAt } from "../../../src/core/object/index.ts";

/** Where Sluice answers otherwise than Kustomize, why, and what: a refusal, or a part of the first object. */
export type IntendedDifference = { readonly why: string } & (
  | { readonly refused: RegExp }
  | { readonly part: (object: unknown) => unknown; readonly is: unknown }
);

const pod = "spec.template.spec";
const containers = (object: unknown) => listAt(object, `${pod}.containers`);
const volumes = (object: unknown) => listAt(object, `${pod}.volumes`);
const ports = (object: unknown) => containers(object)[0]?.["ports"];
const replicas = (object: unknown) => valueAt(object, "spec.replicas");
const data = (object: unknown) => valueAt(object, "data");

const needless = "with a target, Kustomize wants a kind and a name that it does not use";
const lost = "Kustomize loses the patch without a word";
const unknown = "Kustomize makes a field of the directive, which the API server refuses";
const ofSveltos = "Sveltos leaves such an operation out: one patch matches many objects";

export const intendedDifferences: Readonly<Record<string, IntendedDifference>> = {
  "strategic merge: a patch without kind": { why: needless, part: replicas, is: 2 },
  "strategic merge: a patch without name": { why: needless, part: replicas, is: 2 },
  "strategic merge: a patch of nothing but fields": { why: needless, part: replicas, is: 2 },
  "strategic merge: $patch: replace of the object": {
    why: lost,
    part: (object) => object,
    is: {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "conf", namespace: "shop", labels: { x: "v" } },
      data: { c: "3" },
    },
  },
  "lists: $patch: replace of a container": { why: lost, part: (object) => containers(object)[0], is: { name: "web", image: "web:9" } },
  "lists: $patch: replace of a volume": { why: lost, part: (object) => volumes(object)[0], is: { name: "tmp", hostPath: { path: "/x" } } },
  "lists: $patch: replace in an added list": {
    why: "Kustomize keeps the directive and loses the element",
    part: (object) => valueAt(object, `${pod}.initContainers`),
    is: [{ name: "two", image: "two:1" }],
  },
  "lists: a port of a container without protocol, where there is one with": {
    why: lost,
    part: ports,
    is: [
      { containerPort: 80, name: "http" },
      { containerPort: 53, protocol: "UDP", name: "renamed" },
    ],
  },
  "lists: a port with protocol, where there is one without": {
    why: lost,
    part: ports,
    is: [
      { containerPort: 80, protocol: "TCP", name: "renamed" },
      { containerPort: 53, protocol: "UDP" },
    ],
  },
  "lists: $patch: delete of a port of a container": { why: lost, part: ports, is: [{ containerPort: 53, protocol: "UDP" }] },
  "lists: a port of a Service without protocol": { why: lost, refused: /spec\.ports\[0\]: 2 elements match; name protocol to say which/ },
  "lists: a container without its key": {
    why: "Kustomize loses every container",
    refused: /spec\.template\.spec\.containers\[0\]: names no name, by which the list is merged/,
  },
  "lists: $patch: replace in a list that is replaced": { why: unknown, refused: /tolerations\[0\]: \$patch means nothing here/ },
  "strategic merge: $retainKeys": { why: unknown, refused: /spec\.strategy: Kustomize does not know \$retainKeys/ },
  "lists: $retainKeys of a volume": { why: unknown, refused: /volumes\[0\]: Kustomize does not know \$retainKeys/ },
  "lists: $setElementOrder": { why: unknown, refused: /spec: Kustomize does not know \$setElementOrder\/containers/ },
  "lists: $setElementOrder of scalars": { why: unknown, refused: /metadata: Kustomize does not know \$setElementOrder\/finalizers/ },
  "lists: $deleteFromPrimitiveList": { why: unknown, refused: /Kustomize does not know \$deleteFromPrimitiveList\/finalizers/ },
  "lists: env that is there twice and is not patched": {
    why: "what no patch names stays as it is",
    part: (object) => containers(object)[0]?.["env"],
    is: [
      { name: "A", value: "1" },
      { name: "A", value: "2" },
    ],
  },
  "JSON patch: remove of a missing field": { why: ofSveltos, part: data, is: { a: "1", b: "2", "sl/ash": "x", "til~de": "t" } },
  "JSON patch: remove of a missing field and another change": {
    why: ofSveltos,
    part: data,
    is: { a: "z", b: "2", "sl/ash": "x", "til~de": "t" },
  },
  "JSON patch: YAML in brackets": {
    why: "Kustomize reads what begins with a bracket as JSON only",
    part: data,
    is: { a: "z", b: "2", "sl/ash": "x", "til~de": "t" },
  },
  "JSON patch: several documents of operations": {
    why: "Kustomize ignores all but the first without a word",
    refused: /has several documents; expected one list of JSON6902 operations/,
  },
  "JSON patch: references follow a new name": {
    why: "Sveltos patches each object alone, and changes no reference",
    part: (object) => volumes(object)[1],
    is: { name: "conf", configMap: { name: "conf" } },
  },
};
