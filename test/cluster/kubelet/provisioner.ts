import { isAlreadyExists, isApiFault, isNotFound, type Cluster, type WatchEvent } from "../../../src/kube/index.ts";
import { fieldsAt, listAt, mapAt, refOf, stringAt, stringsAt, type KubeObject } from "../../../src/core/object/index.ts";
import { addressDelay, bindDelay, type Behaviour, type SampledDelay } from "../../../src/embedded/behaviour/index.ts";

const provisioner = "sim.sluice.dev/volume";
const seed = 1;

/** Binds claims and assigns addresses to Services when the behaviour says. */
export class Provisioner {
  readonly #cluster: Cluster;
  readonly #behaviour: Behaviour;
  readonly #signal: AbortSignal;
  readonly #fail: (error: unknown) => void;
  /** The uids of the objects in work. */
  readonly #served = new Set<string>();
  #addresses = 0;

  constructor(cluster: Cluster, behaviour: Behaviour, signal: AbortSignal, fail: (error: unknown) => void) {
    this.#cluster = cluster;
    this.#behaviour = behaviour;
    this.#signal = signal;
    this.#fail = fail;
  }

  /** Creates the default StorageClass. */
  async makeClass(): Promise<void> {
    const annotations = { "storageclass.kubernetes.io/is-default-class": "true" };
    const metadata = { name: "standard", annotations };
    await this.#cluster.create({ apiVersion: "storage.k8s.io/v1", kind: "StorageClass", metadata, provisioner }).catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
    });
  }

  /** The controller manager annotates a claim with its provisioner when it is to be provisioned. */
  readonly onClaimEvent = ({ type, object }: WatchEvent): void => {
    const isOurs = mapAt(object, "metadata.annotations")["volume.kubernetes.io/storage-provisioner"] === provisioner;
    if (type === "DELETED" || !isOurs || stringAt(object, "spec.volumeName", "") !== "") return;
    this.#serve(object, bindDelay(object, this.#behaviour, seed), () => this.#makeVolume(object));
  };

  /** Deletes provisioned volumes whose claims are gone. */
  readonly onVolumeEvent = ({ type, object }: WatchEvent): void => {
    const isOurs = mapAt(object, "metadata.annotations")["pv.kubernetes.io/provisioned-by"] === provisioner;
    if (type === "DELETED" || !isOurs || stringAt(object, "status.phase") !== "Released") return;
    this.#serve(object, { afterMs: 0 }, async () => void (await this.#cluster.delete(refOf(object))));
  };

  readonly onServiceEvent = ({ type, object }: WatchEvent): void => {
    const isBalanced = stringAt(object, "spec.type") === "LoadBalancer";
    const hasAddress = listAt(object, "status.loadBalancer.ingress").length > 0;
    if (type === "DELETED" || isBalanced === hasAddress) return;
    const wait = isBalanced ? addressDelay(object, this.#behaviour, seed) : { afterMs: 0 };
    this.#serve(object, wait, () => this.#setAddress(object, isBalanced));
  };

  #serve(object: KubeObject, wait: SampledDelay, work: () => Promise<void>): void {
    const key = `${object.metadata.uid} ${object.metadata.generation ?? 0} ${stringAt(object, "spec.type", "")}`;
    if ("never" in wait || this.#served.has(key)) return;
    this.#served.add(key);
    this.#cluster.clock.after(wait.afterMs, () => {
      if (this.#signal.aborted) return;
      work().catch((error: unknown) => {
        if (!this.#signal.aborted && !(isApiFault(error) && isNotFound(error))) this.#fail(error);
      });
    });
  }

  async #makeVolume(claim: KubeObject): Promise<void> {
    const { name, namespace = "", uid = "", resourceVersion = "" } = claim.metadata;
    await this.#cluster.create({
      apiVersion: "v1",
      kind: "PersistentVolume",
      metadata: { name: `pvc-${uid}`, annotations: { "pv.kubernetes.io/provisioned-by": provisioner } },
      spec: {
        capacity: { storage: stringAt(fieldsAt(claim, "spec.resources.requests"), "storage", "1Gi") },
        accessModes: stringsAt(claim, "spec.accessModes"),
        persistentVolumeReclaimPolicy: "Delete",
        storageClassName: stringAt(claim, "spec.storageClassName", ""),
        claimRef: { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace, name, uid, resourceVersion },
        hostPath: { path: `/var/lib/sluice/pvc-${uid}` },
      },
    });
  }

  async #setAddress(service: KubeObject, isBalanced: boolean): Promise<void> {
    this.#addresses = (this.#addresses % 254) + 1;
    const loadBalancer = isBalanced ? { ingress: [{ ip: `192.0.2.${this.#addresses}` }] } : { ingress: null };
    const patch = { status: { loadBalancer } };
    await this.#cluster.patch(refOf(service), { type: "merge", patch }, { subresource: "status", manager: "cloud-controller-manager" });
  }
}
