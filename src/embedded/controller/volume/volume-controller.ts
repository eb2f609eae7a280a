import { fieldsAt, isFields, stringAt, type KubeObject } from "../../../core/object/index.ts";
import { bindDelay, type Behaviour } from "../../behaviour/index.ts";
import type { StoreEvent } from "../../storage/index.ts";
import { namespacedKeyOf, splitKey, type Controller, type ControllerConstructor, type EmbeddedControllerContext } from "../controller.ts";
import { selectedNode } from "../scheduler/index.ts";
import { ClaimUserIndex } from "./claim-user-index.ts";
import { findMatchingVolume, storageClassNameOf, isFree, volumeMismatch } from "./find-matching-volume.ts";
import { bindCompleted, boundClaim, boundVolume, claimStatus, volumeFor } from "./bound-volume.ts";
import { defaultStorageClass } from "./default-storage-class.ts";

const claims = "persistentvolumeclaims";
const volumes = "persistentvolumes";
const classes = "storageclasses.storage.k8s.io";
const writer = "kube-controller-manager";
const provisionerAnnotations = ["volume.beta.kubernetes.io/storage-provisioner", "volume.kubernetes.io/storage-provisioner"];

/** Binds and provisions volumes, and creates the default StorageClass of a new cluster. */
export function volumeController(options: { behaviour: Behaviour; seed: number; isNew: boolean }): ControllerConstructor {
  const { behaviour, seed, isNew } = options;
  return (context) => {
    if (isNew) context.api.create(classes, defaultStorageClass, writer);
    return new VolumeController(context, behaviour, seed);
  };
}

/** Models pkg/controller/volume/persistentvolume, pvcprotection and pvprotection. A key is `pvc namespace/name` or `pv /name`. */
class VolumeController implements Controller {
  readonly name = "persistentvolume-binder";
  readonly #context: EmbeddedControllerContext;
  readonly #behaviour: Behaviour;
  readonly #seed: number;
  readonly #users = new ClaimUserIndex();
  /** Unbound claims: a volume that becomes available enqueues them. */
  readonly #pending = new Set<string>();
  /** The names of volumes by the claim that they are reserved for, as `namespace/name`; the empty key has the unreserved ones. */
  readonly #volumesByClaim = new Map<string, Set<string>>();
  /** When the provisioning of each claim began, to the millisecond. */
  readonly #provisioningStartedAt = new Map<string, number>();

  constructor(context: EmbeddedControllerContext, behaviour: Behaviour, seed: number) {
    this.#context = context;
    this.#behaviour = behaviour;
    this.#seed = seed;
  }

  readonly watches = {
    [claims]: (change: StoreEvent) => this.#onClaimEvent(change),
    [volumes]: ({ type, object, previous }: StoreEvent) => {
      const { namespace, name } = fieldsAt(object, "spec.claimRef");
      if (previous !== undefined) this.#volumesByClaim.get(claimKeyOf(previous))?.delete(object.metadata.name);
      this.#indexVolume(object, type === "DELETED");
      const own = name === undefined ? [...this.#pending] : [`pvc ${String(namespace)}/${String(name)}`];
      return type === "DELETED" ? own : [`pv ${namespacedKeyOf(object)}`, ...own];
    },
    [classes]: () => this.#pending,
    pods: (change: StoreEvent) => this.#users.observe(change).map((claim) => `pvc ${claim}`),
  };

  #onClaimEvent({ type, object }: StoreEvent): string[] {
    const key = `pvc ${namespacedKeyOf(object)}`;
    const volume = stringAt(object, "spec.volumeName");
    if (type === "DELETED" || object.metadata.annotations?.[bindCompleted] !== undefined) this.#pending.delete(key);
    else this.#pending.add(key);
    if (type === "DELETED") this.#provisioningStartedAt.delete(key);
    return [...(type === "DELETED" ? [] : [key]), ...(volume === undefined ? [] : [`pv /${volume}`])];
  }

  #indexVolume(volume: KubeObject, isGone: boolean): void {
    const claim = claimKeyOf(volume);
    const names = this.#volumesByClaim.get(claim) ?? new Set();
    this.#volumesByClaim.set(claim, names);
    if (isGone) names.delete(volume.metadata.name);
    else names.add(volume.metadata.name);
    if (names.size === 0) this.#volumesByClaim.delete(claim);
  }

  /** The volumes that a claim may bind, by name. */
  #volumesFor(claim: KubeObject, isOpen: boolean): readonly KubeObject[] {
    const names = [...(this.#volumesByClaim.get(namespacedKeyOf(claim)) ?? []), ...(isOpen ? (this.#volumesByClaim.get("") ?? []) : [])];
    return names.toSorted().flatMap((name) => this.#context.api.read(volumes, "", name) ?? []);
  }

  reconcile(key: string): number | undefined {
    const { namespace, name } = splitKey(key.slice(key.indexOf(" ") + 1));
    const resource = key.startsWith("pvc ") ? claims : volumes;
    const object = this.#context.api.read(resource, namespace, name);
    if (object === undefined) return undefined;
    return resource === claims ? this.#syncClaim(key, object) : this.#syncVolume(object);
  }

  #syncClaim(key: string, claim: KubeObject): number | undefined {
    if (claim.metadata.deletionTimestamp !== undefined)
      return this.#removeProtection(claims, claim, "pvc-protection", !this.#users.isUsed(namespacedKeyOf(claim)));
    const wanted = stringAt(claim, "spec.volumeName", "");
    const isComplete = claim.metadata.annotations?.[bindCompleted] !== undefined;
    if (wanted !== "") return this.#bindTo(claim, wanted, isComplete);
    const storageClass = this.#context.api.read(classes, "", storageClassNameOf(claim));
    const waits =
      stringAt(storageClass, "volumeBindingMode") === "WaitForFirstConsumer" && claim.metadata.annotations?.[selectedNode] === undefined;
    const found = findMatchingVolume(claim, this.#volumesFor(claim, !waits));
    if (found !== undefined) return this.#bind(claim, found);
    if (waits) this.#recordEvent(claim, "Normal", "WaitForFirstConsumer", "waiting for first consumer to be created before binding");
    else if (storageClassNameOf(claim) !== "") return this.#provision(key, claim, storageClass);
    else this.#recordEvent(claim, "Normal", "FailedBinding", "no persistent volumes available for this claim and no storage class is set");
    return undefined;
  }

  #bindTo(claim: KubeObject, name: string, isComplete: boolean): undefined {
    const volume = this.#context.api.read(volumes, "", name);
    if (volume === undefined) {
      if (isComplete) this.#setPhase(claims, claim, "Lost");
      return;
    }
    if (!isFree(volume, claim)) {
      const { namespace, name: holder } = fieldsAt(volume, "spec.claimRef");
      const message = `volume "${name}" already bound to a different claim "${String(namespace)}/${String(holder)}"`;
      if (!isComplete) this.#recordEvent(claim, "Warning", "FailedBinding", message);
      return;
    }
    const why = isComplete || stringAt(volume, "spec.claimRef.name") !== undefined ? undefined : volumeMismatch(volume, claim);
    if (why === undefined) this.#bind(claim, volume);
    else this.#recordEvent(claim, "Warning", "VolumeMismatch", `Cannot bind to requested volume "${name}": ${why}`);
  }

  #bind(claim: KubeObject, volume: KubeObject): undefined {
    const { api } = this.#context;
    const given = api.update(volumes, boundVolume(volume, claim), writer);
    this.#setPhase(volumes, given, "Bound");
    const bound = api.update(claims, boundClaim(claim, volume.metadata.name), writer);
    api.updateStatus(claims, { ...bound, status: claimStatus(bound, given) }, writer);
  }

  #provision(key: string, claim: KubeObject, storageClass: KubeObject | undefined): number | undefined {
    if (storageClass === undefined) {
      this.#recordEvent(claim, "Warning", "ProvisioningFailed", `storageclass.storage.k8s.io "${storageClassNameOf(claim)}" not found`);
      return undefined;
    }
    const named = stringAt(storageClass, "provisioner", "");
    if (named === "kubernetes.io/no-provisioner") {
      this.#recordEvent(claim, "Normal", "FailedBinding", "no persistent volumes available for this claim and no storage class is set");
      return undefined;
    }
    const current = this.#withProvisioner(claim, named);
    const wait = bindDelay(claim, this.#behaviour, this.#seed);
    const now = this.#context.clock.now();
    if (!this.#provisioningStartedAt.has(key)) this.#provisioningStartedAt.set(key, now);
    if (current !== claim) this.#recordEvent(current, "Normal", "ExternalProvisioning", waitingFor(named));
    if ("never" in wait) {
      if (wait.never !== "") this.#recordEvent(current, "Warning", "ProvisioningFailed", wait.never, named);
      return undefined;
    }
    const due = (this.#provisioningStartedAt.get(key) ?? now) + wait.afterMs;
    if (due > now) return due - now;
    const volume = this.#context.api.create(volumes, volumeFor(current, storageClass), named);
    this.#recordEvent(current, "Normal", "ProvisioningSucceeded", `Successfully provisioned volume ${volume.metadata.name}`, named);
    this.#bind(current, volume);
    return undefined;
  }

  /** The embedded cluster stands in for every provisioner. */
  #withProvisioner(claim: KubeObject, named: string): KubeObject {
    if (claim.metadata.annotations?.[provisionerAnnotations[1]!] === named) return claim;
    const added = Object.fromEntries(provisionerAnnotations.map((annotation) => [annotation, named]));
    const metadata = { ...claim.metadata, annotations: { ...claim.metadata.annotations, ...added } };
    return this.#context.api.update(claims, { ...claim, metadata }, writer);
  }

  #syncVolume(volume: KubeObject): undefined {
    const { name, namespace, uid } = fieldsAt(volume, "spec.claimRef");
    const claim = typeof name === "string" ? this.#context.api.read(claims, String(namespace ?? ""), name) : undefined;
    const isHeld = claim !== undefined && (uid === undefined || uid === "" || claim.metadata.uid === uid);
    if (volume.metadata.deletionTimestamp !== undefined) {
      const isBound = isHeld && stringAt(claim, "spec.volumeName") === volume.metadata.name;
      return this.#removeProtection(volumes, volume, "pv-protection", !isBound);
    }
    if (name === undefined || uid === undefined || uid === "") return this.#setPhase(volumes, volume, "Available");
    if (isHeld) return;
    this.#setPhase(volumes, volume, "Released");
    if (stringAt(volume, "spec.persistentVolumeReclaimPolicy") === "Delete") this.#context.api.delete(volumes, "", volume.metadata.name);
  }

  #setPhase(resource: string, object: KubeObject, phase: string): undefined {
    const status = isFields(object["status"]) ? object["status"] : {};
    if (status["phase"] !== phase) this.#context.api.updateStatus(resource, { ...object, status: { ...status, phase } }, writer);
  }

  /** Removes the protection finalizer of an unused object that is being deleted. */
  #removeProtection(resource: string, object: KubeObject, protection: string, isUnused: boolean): undefined {
    const finalizer = `kubernetes.io/${protection}`;
    const { finalizers = [], ...metadata } = object.metadata;
    if (!isUnused || !finalizers.includes(finalizer)) return;
    const kept = finalizers.filter((name) => name !== finalizer);
    this.#context.api.update(resource, { ...object, metadata: kept.length === 0 ? metadata : { ...metadata, finalizers: kept } }, writer);
  }

  #recordEvent(
    about: KubeObject,
    type: "Normal" | "Warning",
    reason: string,
    message: string,
    source = "persistentvolume-controller",
  ): void {
    this.#context.record(about, { type, reason, message, source });
  }
}

function waitingFor(named: string): string {
  return `Waiting for a volume to be created either by the external provisioner '${named}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`;
}

function claimKeyOf(volume: KubeObject): string {
  const { namespace, name } = fieldsAt(volume, "spec.claimRef");
  return name === undefined ? "" : `${String(namespace)}/${String(name)}`;
}
