import { isNotFound, type Cluster } from "../src/kube/index.ts";
import { numberAt } from "../src/core/object/index.ts";

const namespaces = { group: "", version: "v1", kind: "Namespace" };
const accounts = { group: "", version: "v1", kind: "ServiceAccount" };
const pods = { group: "", version: "v1", kind: "Pod" };
const replicaSets = { group: "apps", version: "v1", kind: "ReplicaSet" };
const deployments = { group: "apps", version: "v1", kind: "Deployment" };

/** Gives each run of a tool a new namespace, alone in the cluster. */
export class RaceNamespaces {
  readonly #cluster: Cluster;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Creates the namespace, runs the tool in it, and deletes it again in any case. */
  async withNamespace(namespace: string, run: (namespace: string) => Promise<void>): Promise<void> {
    await this.#cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    try {
      await this.#furnished(namespace);
      await run(namespace);
    } finally {
      await this.#remove(namespace);
    }
  }

  /** Asserts that a tool has not ended before its Deployments are ready. */
  async expectReady(namespace: string, expected: number): Promise<void> {
    const { items } = await this.#cluster.list(deployments, { namespace });
    const available = items.filter((item) => numberAt(item, "status.availableReplicas", 0) === 1).length;
    if (available !== expected) throw new Error(`${namespace}: only ${available} of ${expected} Deployments are available`);
  }

  /** Asserts that a tool has not ended before its Deployments and their pods are gone. */
  async expectGone(namespace: string): Promise<void> {
    for (const kind of [deployments, replicaSets, pods]) {
      const { items } = await this.#cluster.list(kind, { namespace });
      if (items.length > 0) throw new Error(`${namespace}: ${items.length} of kind ${kind.kind} are still there`);
    }
  }

  /** Pods cannot be created before their service account. */
  async #furnished(namespace: string): Promise<void> {
    for await (const { object } of this.#cluster.watch(accounts, { namespace })) if (object.metadata.name === "default") return;
  }

  async #remove(name: string): Promise<void> {
    try {
      await this.#cluster.delete({ ...namespaces, namespace: "", name });
    } catch (error) {
      if (isNotFound(error)) return;
      throw error;
    }
    const fieldSelector = `metadata.name=${name}`;
    const { items, resourceVersion } = await this.#cluster.list(namespaces, { fieldSelector });
    if (items.length === 0) return;
    for await (const { type } of this.#cluster.watch(namespaces, { fieldSelector, resourceVersion })) if (type === "DELETED") return;
  }
}
