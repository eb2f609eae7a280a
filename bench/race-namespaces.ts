import { isNotFound, type Cluster } from "../src/kube/index.ts";
import { numberAt } from "../src/core/object/index.ts";

const namespaces = { group: "", version: "v1", kind: "Namespace" };
const accounts = { group: "", version: "v1", kind: "ServiceAccount" };
const deployments = { group: "apps", version: "v1", kind: "Deployment" };
const expected = 100;

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

  /** Asserts that a tool has not ended before its objects are ready or gone. */
  async expectState(namespace: string, state: "ready" | "gone"): Promise<void> {
    const { items } = await this.#cluster.list(deployments, { namespace });
    const available = items.filter((item) => numberAt(item, "status.availableReplicas", 0) === 1).length;
    if (state === "ready" && available !== expected)
      throw new Error(`${namespace}: only ${available} of ${expected} Deployments are available`);
    if (state === "gone" && items.length > 0) throw new Error(`${namespace}: ${items.length} Deployments are still there`);
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
