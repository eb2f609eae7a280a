import { capiGroup, gvkOf, type ClusterId, type ClusterType } from "../api/index.ts";
import { Informer, type Cluster, type ObjectChange } from "../../kube/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import type { Source } from "../../reconcile/index.ts";
import { clusterKey } from "./cluster-key.ts";

/** Leaves out release records, which are large and many and hold no kubeconfig. */
const withoutReleaseSecrets = "type!=helm.sh/release.v1";

/** Cluster API serves one or both; the newer one takes precedence. */
const capiVersions = ["v1beta2", "v1beta1"] as const;

/** The informers of the management cluster's SveltosClusters, Cluster API Clusters and kubeconfig Secrets. */
export class ClusterInformers {
  readonly #hub: Cluster;
  readonly #sveltos: Informer;
  readonly #capi: readonly Informer[];
  readonly #secrets: Informer;

  constructor(hub: Cluster, signal: AbortSignal) {
    this.#hub = hub;
    this.#sveltos = new Informer(hub, gvkOf("SveltosCluster"), { signal });
    this.#capi = capiVersions.map((version) => new Informer(hub, { group: capiGroup, version, kind: "Cluster" }, { signal }));
    this.#secrets = new Informer(hub, { group: "", version: "v1", kind: "Secret" }, { fieldSelector: withoutReleaseSecrets, signal });
  }

  /** Resolves when every informer has synced. Does not wait for kinds that are not served. */
  async waitForSync(signal: AbortSignal): Promise<void> {
    const served = await Promise.all(
      capiVersions.map((version) => this.#hub.discovery.find({ group: capiGroup, version, kind: "Cluster" }).catch(() => undefined)),
    );
    const capi = this.#capi.filter((_, index) => served[index] !== undefined);
    await Promise.all([this.#sveltos, this.#secrets, ...capi].map((informer) => informer.waitForSync({ signal })));
  }

  /** The sources of the fleet's work queue. `keysOfSecret` gives the keys of the clusters that use a Secret. */
  sources(keysOfSecret: (secret: KubeObject) => Iterable<string>): readonly Source[] {
    return [
      { events: this.#sveltos, keysOf: (change) => [keyOfChange("Sveltos", change)] },
      ...this.#capi.map((events) => ({ events, keysOf: (change: ObjectChange) => [keyOfChange("Capi", change)], optional: true })),
      { events: this.#secrets, keysOf: ({ object }) => keysOfSecret(object) },
    ];
  }

  /** The keys of all clusters. */
  *keys(): Iterable<string> {
    for (const object of this.#sveltos.lister.all()) yield keyOfObject("Sveltos", object);
    for (const { lister } of this.#capi) for (const object of lister.all()) yield keyOfObject("Capi", object);
  }

  find({ type, namespace, name }: ClusterId): KubeObject | undefined {
    if (type === "Sveltos") return this.#sveltos.lister.find(namespace, name);
    return this.#capi.map(({ lister }) => lister.find(namespace, name)).find((object) => object !== undefined);
  }

  secret(namespace: string, name: string): KubeObject | undefined {
    return this.#secrets.lister.find(namespace, name);
  }
}

function keyOfChange(type: ClusterType, { object }: ObjectChange): string {
  return keyOfObject(type, object);
}

function keyOfObject(type: ClusterType, { metadata: { namespace = "", name } }: KubeObject): string {
  return clusterKey({ type, namespace, name });
}
