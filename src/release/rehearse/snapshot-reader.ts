import {
  groupVersionOf,
  keyOf,
  listAt,
  refOf,
  stringAt,
  type GroupVersionKind,
  type KubeObject,
  type ObjectRef,
} from "../../core/object/index.ts";
import { isApiFault, isForbidden, isUnknownKind, type Cluster, type Resource } from "../../kube/index.ts";
import { Semaphore } from "../track/index.ts";
import { schedulingViewOf } from "./scheduling-view.ts";
import type { Unseen } from "./snapshot.ts";

const crdKind = { group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition" } as const;

/** The maximum of concurrent requests. */
const maxConcurrency = 10;

/** Gathers objects, each once, and what could not be read. */
export class SnapshotReader {
  readonly #cluster: Cluster;
  readonly #signal: AbortSignal;
  readonly #objects = new Map<string, KubeObject>();
  /** The lists that were read, as `group/kind/namespace`: what they lack does not exist. */
  readonly #listed = new Set<string>();
  readonly #unseen = new Map<string, Unseen>();
  readonly #requests = new Semaphore(maxConcurrency);

  constructor(cluster: Cluster, signal: AbortSignal) {
    this.#cluster = cluster;
    this.#signal = signal;
  }

  get unseen(): readonly Unseen[] {
    return [...this.#unseen.values()];
  }

  /** References to owners that are not among the objects are dropped: the garbage collector would take them for gone. */
  objects(): readonly KubeObject[] {
    const uids = new Set([...this.#objects.values()].map(({ metadata }) => metadata.uid));
    return [...this.#objects.values()].map((object) => {
      const { ownerReferences = [] } = object.metadata;
      const known = ownerReferences.filter(({ uid }) => uids.has(uid));
      return known.length === ownerReferences.length ? object : { ...object, metadata: { ...object.metadata, ownerReferences: known } };
    });
  }

  async list(kind: GroupVersionKind, namespace = ""): Promise<void> {
    const items = await this.#tryTo(listText(kind, namespace), () => this.#cluster.list(kind, { namespace, signal: this.#signal }));
    if (items === undefined) return;
    this.#listed.add(`${kind.group}/${kind.kind}/${namespace}`);
    for (const object of items.items) this.#add(object);
  }

  async listUnkept(kind: GroupVersionKind): Promise<readonly KubeObject[]> {
    return (await this.#tryTo(listText(kind, ""), () => this.#cluster.list(kind, { signal: this.#signal })))?.items ?? [];
  }

  /** Pods of other namespaces take room on nodes, and are met by affinity. */
  async listOtherPods(namespaces: readonly string[]): Promise<void> {
    const pods = await this.listUnkept({ group: "", version: "v1", kind: "Pod" });
    for (const pod of pods) if (!namespaces.includes(pod.metadata.namespace ?? "")) this.#add(schedulingViewOf(pod));
  }

  async find(ref: ObjectRef): Promise<void> {
    const { group, kind, namespace } = ref;
    if (this.#objects.has(keyOf(ref)) || this.#listed.has(`${group}/${kind}/${namespace}`)) return;
    const where = namespace === "" ? "" : ` in ${namespace}`;
    const found = await this.#tryTo(`${kind} ${ref.name}${where}`, () => this.#cluster.find(ref, { signal: this.#signal }));
    if (found !== undefined) this.#add(found);
  }

  /** Who may work in a namespace that he may not read has one: it is taken to be there. */
  async findNamespace(name: string): Promise<void> {
    const ref = { group: "", version: "v1", kind: "Namespace", namespace: "", name };
    await this.find(ref);
    if (this.#unseen.has(`Namespace ${name}`))
      this.#add({ apiVersion: "v1", kind: "Namespace", metadata: { name, uid: `unseen-${name}` }, status: { phase: "Active" } });
  }

  /** Without the right to read it, a CRD that takes everything stands for it: discovery says what it is called. */
  async findCrdOf(ref: GroupVersionKind): Promise<void> {
    const resource = await this.#cluster.discovery.find(ref);
    if (resource === undefined) return;
    const name = `${resource.plural}.${resource.group}`;
    await this.find({ ...crdKind, namespace: "", name });
    if (this.#unseen.has(`${crdKind.kind} ${name}`)) this.#add(permissiveCrd(resource));
  }

  /** Whether a CRD has objects decides whether it may be deleted. */
  async listCustomResources(): Promise<void> {
    const crds = [...this.#objects.values()].filter(({ kind }) => kind === crdKind.kind);
    const kinds = crds.flatMap((crd) => {
      const served = listAt(crd, "spec.versions").find(({ storage }) => storage === true);
      return served === undefined
        ? []
        : { group: stringAt(crd, "spec.group", ""), version: stringAt(served, "name", ""), kind: stringAt(crd, "spec.names.kind", "") };
    });
    await Promise.all(kinds.map((kind) => this.list(kind)));
  }

  /** Reads the owners of what was found, and theirs. */
  async findOwners(): Promise<void> {
    for (let depth = 0; depth < maxOwnerDepth; depth++) {
      const uids = new Set([...this.#objects.values()].map(({ metadata }) => metadata.uid));
      const missing = new Map<string, readonly ObjectRef[]>();
      for (const { metadata } of this.#objects.values())
        for (const { apiVersion, kind, name, uid } of metadata.ownerReferences ?? [])
          if (!uids.has(uid)) missing.set(uid, ownerRefs({ ...groupVersionOf(apiVersion), kind }, name, metadata.namespace));
      const before = this.#objects.size;
      await Promise.all([...missing.values()].flat().map((ref) => this.find(ref)));
      if (this.#objects.size === before) return;
    }
  }

  /** What bindings of policies name as their parameters. */
  async findPolicyParameters(): Promise<void> {
    const all = [...this.#objects.values()];
    const policies = new Map(
      all.filter(({ kind }) => kind === "ValidatingAdmissionPolicy").map((policy) => [policy.metadata.name, policy]),
    );
    for (const binding of all.filter(({ kind }) => kind === "ValidatingAdmissionPolicyBinding")) {
      const name = stringAt(binding, "spec.paramRef.name");
      const policy = policies.get(stringAt(binding, "spec.policyName", ""));
      const kind = stringAt(policy, "spec.paramKind.kind");
      if (name === undefined || kind === undefined) continue;
      const gvk = { ...groupVersionOf(stringAt(policy, "spec.paramKind.apiVersion", "")), kind };
      if (gvk.group.includes(".")) await this.findCrdOf(gvk);
      await this.find({ ...gvk, namespace: stringAt(binding, "spec.paramRef.namespace", ""), name });
    }
  }

  #add(object: KubeObject): void {
    this.#objects.set(keyOf(refOf(object)), object);
  }

  /** Undefined when the server does not serve the kind, or lets nobody see it, which is kept for the person. */
  async #tryTo<T>(what: string, read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await this.#requests.run(read);
    } catch (error) {
      if (isUnknownKind(error)) return undefined;
      if (!isApiFault(error) || !isForbidden(error)) throw error;
      this.#unseen.set(what, { what, because: error.explanation });
      return undefined;
    }
  }
}

function permissiveCrd({ group, version, kind, plural, singular, namespaced }: Resource): KubeObject {
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  const names = { plural, singular, kind, listKind: `${kind}List` };
  const established = ["NamesAccepted", "Established"].map((type) => ({ type, status: "True" }));
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: crdKind.kind,
    metadata: { name: `${plural}.${group}`, uid: `unseen-${plural}.${group}` },
    spec: {
      group,
      names,
      scope: namespaced ? "Namespaced" : "Cluster",
      versions: [{ name: version, served: true, storage: true, schema, subresources: { status: {} } }],
    },
    status: { conditions: established, acceptedNames: names, storedVersions: [version] },
  };
}

const maxOwnerDepth = 5;

/** The owner of a namespaced object is in its namespace, or in none. */
function ownerRefs(gvk: GroupVersionKind, name: string, namespace = ""): readonly ObjectRef[] {
  return [...new Set([namespace, ""])].map((place) => ({ ...gvk, namespace: place, name }));
}

function listText({ kind }: GroupVersionKind, namespace: string): string {
  return namespace === "" ? `${kind} objects` : `${kind} objects in ${namespace}`;
}
