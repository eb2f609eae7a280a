import { listAt, groupVersionOf, stringAt, valueAt, type Fields, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import type { Gate, Need } from "./ordering-constraints.ts";
import { podReferences, podTemplateOf } from "./pod-references.ts";

/** A need that follows from the manifests, and what the object cannot do without it. */
export type ImpliedNeed = Need & { readonly on: ObjectRef; readonly hard: "to be applied" | "to run" | "no" };

type Member = { readonly ref: ObjectRef; readonly object: KubeObject };

/** A reference to another object, by group and kind without the version. */
type ObjectReference = {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: unknown;
  readonly because: string;
  readonly hard?: ImpliedNeed["hard"];
};

const rbac = "rbac.authorization.k8s.io";
const storage = "storage.k8s.io";

/**
 * Finds the references between the objects of a release. References to objects outside the release are ignored. The
 * gate is `applied`, except for Namespaces and CRDs.
 */
export function impliedNeeds(members: readonly Member[]): (member: Member) => readonly ImpliedNeed[] {
  const refs = new Map(members.map(({ ref }) => [key(ref, ref.name), ref]));
  const namespaces = new Map(
    members.flatMap(({ ref }) => (ref.group === "" && ref.kind === "Namespace" ? [[ref.name, ref] as const] : [])),
  );
  const crds = new Map(members.flatMap(({ ref, object }) => (isCrd(ref) ? [[kindOfCrd(object), ref] as const] : [])));
  const bindings = bindingsBySubject(members);
  return (member) => {
    // Most objects have no references, so the map is created on demand.
    let found: Map<ObjectRef, ImpliedNeed> | undefined;
    const add = (on: ObjectRef | undefined, because: string, hard: ImpliedNeed["hard"]) => {
      if (on === undefined || on === member.ref || found?.has(on) === true) return;
      found ??= new Map();
      found.set(on, { target: on, on, gate: gateOf(on), external: false, because, implied: true, hard });
    };
    const spec = podTemplateOf(member.object)?.spec;
    add(namespaces.get(member.ref.namespace), "its namespace", "to be applied");
    if (crds.size > 0) add(crds.get(`${member.ref.group}/${member.ref.kind}`), "its kind", "to be applied");
    for (const mention of referencesOf(member, spec)) {
      const { name, because, hard = "no" } = mention;
      if (typeof name === "string" && name !== "") add(refs.get(key(mention, name)), because, hard);
    }
    for (const binding of bindings.get(accountOf(member, spec)) ?? []) add(binding, "what its service account may do", "no");
    return found === undefined ? [] : [...found.values()];
  };
}

function key({ group, kind, namespace }: Omit<ObjectRef, "version" | "name">, name: string): string {
  return `${group}/${kind}/${namespace}/${name}`;
}

function gateOf({ kind }: ObjectRef): Gate {
  return { until: kind === "Namespace" || kind === "CustomResourceDefinition" ? "ready" : "applied" };
}

function isCrd({ group, kind }: ObjectRef): boolean {
  return group === "apiextensions.k8s.io" && kind === "CustomResourceDefinition";
}

function kindOfCrd(crd: KubeObject): string {
  return `${stringAt(crd, "spec.group", "")}/${stringAt(crd, "spec.names.kind", "")}`;
}

/** The role bindings of each service account, by `namespace/name`. */
function bindingsBySubject(members: readonly Member[]): ReadonlyMap<string, readonly ObjectRef[]> {
  const pairs = members.flatMap(({ ref, object }) =>
    ref.group === rbac && ref.kind.endsWith("RoleBinding")
      ? accountsIn(object, ref.namespace).map(({ namespace, name }) => ({ account: `${namespace}/${String(name)}`, ref }))
      : [],
  );
  const grouped = Map.groupBy(pairs, ({ account }) => account);
  return new Map([...grouped].map(([account, found]) => [account, found.map(({ ref }) => ref)]));
}

function accountsIn(binding: KubeObject, namespace: string): readonly { namespace: string; name: unknown }[] {
  return listAt(binding, "subjects")
    .filter(({ kind }) => kind === "ServiceAccount")
    .map((subject) => ({ namespace: stringAt(subject, "namespace", namespace), name: subject["name"] }));
}

function accountOf({ ref }: Member, spec: Fields | undefined): string {
  const name = spec && (stringAt(spec, "serviceAccountName") ?? stringAt(spec, "serviceAccount"));
  return name === undefined ? "" : `${ref.namespace}/${name}`;
}

/** The references of an object in fields that Kubernetes defines as such. */
function referencesOf(member: Member, spec: Fields | undefined): readonly ObjectReference[] {
  const { ref } = member;
  const own = byKind[`${ref.group}/${ref.kind}`]?.(member) ?? [];
  return spec === undefined ? own : [...podReferencesOf(spec, ref.namespace), ...own];
}

function podReferencesOf(spec: Fields, namespace: string): readonly ObjectReference[] {
  return podReferences(spec).map(({ group, kind, name, because, optional, clusterWide }) => ({
    group,
    kind,
    namespace: clusterWide === true ? "" : namespace,
    name,
    because,
    hard: optional ? "no" : "to run",
  }));
}

const storageClass = (name: unknown): ObjectReference => ({
  group: storage,
  kind: "StorageClass",
  namespace: "",
  name,
  because: "its storage class",
});

const binding = ({ ref, object }: Member): readonly ObjectReference[] => {
  const kind = stringAt(object, "roleRef.kind", "");
  return [
    { group: rbac, kind, namespace: kind === "Role" ? ref.namespace : "", name: valueAt(object, "roleRef.name"), because: "its role" },
    ...accountsIn(object, ref.namespace).map((account) => ({ group: "", kind: "ServiceAccount", ...account, because: "its subject" })),
  ];
};

const webhooks = ({ object }: Member): readonly ObjectReference[] =>
  listAt(object, "webhooks").map((webhook) => serviceOf(valueAt(webhook, "clientConfig.service"), "its webhook's service"));

function serviceOf(service: unknown, because: string): ObjectReference {
  return { group: "", kind: "Service", namespace: stringAt(service, "namespace", ""), name: valueAt(service, "name"), because };
}

const scaled = ({ ref, object }: Member): readonly ObjectReference[] => {
  const target = valueAt(object, "spec.scaleTargetRef");
  const { group } = groupVersionOf(stringAt(target, "apiVersion", "apps/v1"));
  const kind = stringAt(target, "kind", "Deployment");
  return [{ group, kind, namespace: ref.namespace, name: valueAt(target, "name"), because: "what it scales" }];
};

const byKind: Readonly<Record<string, (member: Member) => readonly ObjectReference[]>> = {
  "apps/StatefulSet": ({ ref, object }) => [
    { group: "", kind: "Service", namespace: ref.namespace, name: valueAt(object, "spec.serviceName"), because: "its service" },
    ...listAt(object, "spec.volumeClaimTemplates").map((claim) => storageClass(valueAt(claim, "spec.storageClassName"))),
  ],
  "/PersistentVolumeClaim": ({ object }) => [
    storageClass(valueAt(object, "spec.storageClassName")),
    { group: "", kind: "PersistentVolume", namespace: "", name: valueAt(object, "spec.volumeName"), because: "its volume" },
  ],
  "/PersistentVolume": ({ object }) => [storageClass(valueAt(object, "spec.storageClassName"))],
  "/ServiceAccount": ({ ref, object }) =>
    listAt(object, "imagePullSecrets").map(({ name }) => ({
      group: "",
      kind: "Secret",
      namespace: ref.namespace,
      name,
      because: "its pull secret",
    })),
  // The token controller deletes a token Secret whose service account does not exist.
  "/Secret": ({ ref, object }) => [
    {
      group: "",
      kind: "ServiceAccount",
      namespace: ref.namespace,
      name:
        object["type"] === "kubernetes.io/service-account-token" ? object.metadata.annotations?.["kubernetes.io/service-account.name"] : "",
      because: "its service account",
    },
  ],
  [`${rbac}/RoleBinding`]: binding,
  [`${rbac}/ClusterRoleBinding`]: binding,
  "networking.k8s.io/Ingress": ({ ref, object }) => ingressReferences(object, ref.namespace),
  "autoscaling/HorizontalPodAutoscaler": scaled,
  "keda.sh/ScaledObject": scaled,
  "apiregistration.k8s.io/APIService": ({ object }) => [serviceOf(valueAt(object, "spec.service"), "its service")],
  "admissionregistration.k8s.io/MutatingWebhookConfiguration": webhooks,
  "admissionregistration.k8s.io/ValidatingWebhookConfiguration": webhooks,
};

function ingressReferences(ingress: KubeObject, namespace: string): readonly ObjectReference[] {
  const paths = listAt(ingress, "spec.rules").flatMap((rule) => listAt(rule, "http.paths"));
  const backends = [valueAt(ingress, "spec.defaultBackend"), ...paths.map(({ backend }) => backend)];
  return [
    {
      group: "networking.k8s.io",
      kind: "IngressClass",
      namespace: "",
      name: valueAt(ingress, "spec.ingressClassName"),
      because: "its class",
    },
    ...backends.map((backend) => ({
      group: "",
      kind: "Service",
      namespace,
      name: valueAt(backend, "service.name"),
      because: "its backend",
    })),
    ...listAt(ingress, "spec.tls").map(({ secretName }) => ({
      group: "",
      kind: "Secret",
      namespace,
      name: secretName,
      because: "its certificate",
    })),
  ];
}
