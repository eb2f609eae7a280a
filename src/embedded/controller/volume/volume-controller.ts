import { fieldsAt, isFields, stringAt, type KubeObject } from "../../../core/object/index.ts";
import { bindWait, type Behaviour } from "../../behaviour/index.ts";
import type { Change } from "../../store/index.ts";
import { keyOf, partsOf, type Controller, type MakeController, type World } from "../controller.ts";
import { selectedNode } from "../scheduler/index.ts";
import { ClaimUsers } from "./claim-users.ts";
import { bestVolume, classOf, isFree, mismatch } from "./match.ts";
import { bindCompleted, boundClaim, boundVolume, claimStatus, volumeFor } from "./objects.ts";
import { defaultStorageClass } from "./storage-class.ts";

const claims = "persistentvolumeclaims";
const volumes = "persistentvolumes";
const classes = "storageclasses.storage.k8s.io";
const writer = "kube-controller-manager";
const provisionerAnnotations = ["volume.beta.kubernetes.io/storage-provisioner", "volume.kubernetes.io/storage-provisioner"];

/** Binds and provisions volumes, and makes the default StorageClass. */
export function volumeController({ behaviour, seed }: { behaviour: Behaviour; seed: number }): MakeController {
  return (world) => {
    world.api.create(classes, defaultStorageClass, writer);
    return new VolumeController(world, behaviour, seed);
  };
}

/** Models pkg/controller/volume/persistentvolume, pvcprotection and pvprotection. A key is `pvc namespace/name` or `pv /name`. */
class VolumeController implements Controller {
  readonly name = "persistentvolume-binder";
  readonly #world: World;
  readonly #behaviour: Behaviour;
  readonly #seed: number;
  readonly #users = new ClaimUsers();
  /** Claims without a volume: whatever becomes free may be theirs. */
  readonly #pending = new Set<string>();
  /** The names of volumes by the claim that they are kept for, as `namespace/name`; the empty one has those that anybody may have. */
  readonly #kept = new Map<string, Set<string>>();
  /** When the provisioning of each claim began, to the millisecond. */
  readonly #begun = new Map<string, number>();

  constructor(world: World, behaviour: Behaviour, seed: number) {
    this.#world = world;
    this.#behaviour = behaviour;
    this.#seed = seed;
  }

  readonly watches = {
    [claims]: (change: Change) => this.#noteClaim(change),
    [volumes]: ({ type, object, previous }: Change) => {
      const { namespace, name } = fieldsAt(object, "spec.claimRef");
      if (previous !== undefined) this.#kept.get(keptFor(previous))?.delete(object.metadata.name);
      this.#noteVolume(object, type === "DELETED");
      const own = name === undefined ? [...this.#pending] : [`pvc ${String(namespace)}/${String(name)}`];
      return type === "DELETED" ? own : [`pv ${keyOf(object)}`, ...own];
    },
    [classes]: () => this.#pending,
    pods: (change: Change) => this.#users.note(change).map((claim) => `pvc ${claim}`),
  };

  #noteClaim({ type, object }: Change): string[] {
    const key = `pvc ${keyOf(object)}`;
    const volume = stringAt(object, "spec.volumeName");
    if (type === "DELETED" || object.metadata.annotations?.[bindCompleted] !== undefined) this.#pending.delete(key);
    else this.#pending.add(key);
    if (type === "DELETED") this.#begun.delete(key);
    return [...(type === "DELETED" ? [] : [key]), ...(volume === undefined ? [] : [`pv /${volume}`])];
  }

  #noteVolume(volume: KubeObject, isGone: boolean): void {
    const claim = keptFor(volume);
    const names = this.#kept.get(claim) ?? new Set();
    this.#kept.set(claim, names);
    if (isGone) names.delete(volume.metadata.name);
    else names.add(volume.metadata.name);
    if (names.size === 0) this.#kept.delete(claim);
  }

  /** The volumes that a claim may have, by name. */
  #volumesFor(claim: KubeObject, isOpen: boolean): readonly KubeObject[] {
    const names = [...(this.#kept.get(keyOf(claim)) ?? []), ...(isOpen ? (this.#kept.get("") ?? []) : [])];
    return names.toSorted().flatMap((name) => this.#world.api.read(volumes, "", name) ?? []);
  }

  reconcile(key: string): number | undefined {
    const { namespace, name } = partsOf(key.slice(key.indexOf(" ") + 1));
    const resource = key.startsWith("pvc ") ? claims : volumes;
    const object = this.#world.api.read(resource, namespace, name);
    if (object === undefined) return undefined;
    return resource === claims ? this.#claim(key, object) : this.#volume(object);
  }

  #claim(key: string, claim: KubeObject): number | undefined {
    if (claim.metadata.deletionTimestamp !== undefined)
      return this.#letGo(claims, claim, "pvc-protection", !this.#users.areThere(keyOf(claim)));
    const wanted = stringAt(claim, "spec.volumeName", "");
    const isComplete = claim.metadata.annotations?.[bindCompleted] !== undefined;
    if (wanted !== "") return this.#bindTo(claim, wanted, isComplete);
    const storageClass = this.#world.api.read(classes, "", classOf(claim));
    const waits =
      stringAt(storageClass, "volumeBindingMode") === "WaitForFirstConsumer" && claim.metadata.annotations?.[selectedNode] === undefined;
    const found = bestVolume(claim, this.#volumesFor(claim, !waits));
    if (found !== undefined) return this.#bind(claim, found);
    if (waits) this.#tell(claim, "Normal", "WaitForFirstConsumer", "waiting for first consumer to be created before binding");
    else if (classOf(claim) !== "") return this.#provision(key, claim, storageClass);
    else this.#tell(claim, "Normal", "FailedBinding", "no persistent volumes available for this claim and no storage class is set");
    return undefined;
  }

  #bindTo(claim: KubeObject, name: string, isComplete: boolean): undefined {
    const volume = this.#world.api.read(volumes, "", name);
    if (volume === undefined) {
      if (isComplete) this.#setPhase(claims, claim, "Lost");
      return;
    }
    if (!isFree(volume, claim)) {
      const { namespace, name: holder } = fieldsAt(volume, "spec.claimRef");
      const message = `volume "${name}" already bound to a different claim "${String(namespace)}/${String(holder)}"`;
      if (!isComplete) this.#tell(claim, "Warning", "FailedBinding", message);
      return;
    }
    const why = isComplete || stringAt(volume, "spec.claimRef.name") !== undefined ? undefined : mismatch(volume, claim);
    if (why === undefined) this.#bind(claim, volume);
    else this.#tell(claim, "Warning", "VolumeMismatch", `Cannot bind to requested volume "${name}": ${why}`);
  }

  #bind(claim: KubeObject, volume: KubeObject): undefined {
    const { api } = this.#world;
    const given = api.update(volumes, boundVolume(volume, claim), writer);
    this.#setPhase(volumes, given, "Bound");
    const bound = api.update(claims, boundClaim(claim, volume.metadata.name), writer);
    api.updateStatus(claims, { ...bound, status: claimStatus(bound, given) }, writer);
  }

  #provision(key: string, claim: KubeObject, storageClass: KubeObject | undefined): number | undefined {
    if (storageClass === undefined) {
      this.#tell(claim, "Warning", "ProvisioningFailed", `storageclass.storage.k8s.io "${classOf(claim)}" not found`);
      return undefined;
    }
    const named = stringAt(storageClass, "provisioner", "");
    if (named === "kubernetes.io/no-provisioner") {
      this.#tell(claim, "Normal", "FailedBinding", "no persistent volumes available for this claim and no storage class is set");
      return undefined;
    }
    const current = this.#withProvisioner(claim, named);
    const wait = bindWait(claim, this.#behaviour, this.#seed);
    const now = this.#world.clock.now();
    if (!this.#begun.has(key)) this.#begun.set(key, now);
    if (current !== claim) this.#tell(current, "Normal", "ExternalProvisioning", waitingFor(named));
    if ("never" in wait) {
      if (wait.never !== "") this.#tell(current, "Warning", "ProvisioningFailed", wait.never, named);
      return undefined;
    }
    const due = (this.#begun.get(key) ?? now) + wait.afterMs;
    if (due > now) return due - now;
    const volume = this.#world.api.create(volumes, volumeFor(current, storageClass), named);
    this.#tell(current, "Normal", "ProvisioningSucceeded", `Successfully provisioned volume ${volume.metadata.name}`, named);
    this.#bind(current, volume);
    return undefined;
  }

  /** This cluster stands in for every provisioner that a class may name. */
  #withProvisioner(claim: KubeObject, named: string): KubeObject {
    if (claim.metadata.annotations?.[provisionerAnnotations[1]!] === named) return claim;
    const added = Object.fromEntries(provisionerAnnotations.map((annotation) => [annotation, named]));
    const metadata = { ...claim.metadata, annotations: { ...claim.metadata.annotations, ...added } };
    return this.#world.api.update(claims, { ...claim, metadata }, writer);
  }

  #volume(volume: KubeObject): undefined {
    const { name, namespace, uid } = fieldsAt(volume, "spec.claimRef");
    const claim = typeof name === "string" ? this.#world.api.read(claims, String(namespace ?? ""), name) : undefined;
    const isHeld = claim !== undefined && (uid === undefined || uid === "" || claim.metadata.uid === uid);
    if (volume.metadata.deletionTimestamp !== undefined) {
      const isBound = isHeld && stringAt(claim, "spec.volumeName") === volume.metadata.name;
      return this.#letGo(volumes, volume, "pv-protection", !isBound);
    }
    if (name === undefined || uid === undefined || uid === "") return this.#setPhase(volumes, volume, "Available");
    if (isHeld) return;
    this.#setPhase(volumes, volume, "Released");
    if (stringAt(volume, "spec.persistentVolumeReclaimPolicy") === "Delete") this.#world.api.delete(volumes, "", volume.metadata.name);
  }

  #setPhase(resource: string, object: KubeObject, phase: string): undefined {
    const status = isFields(object["status"]) ? object["status"] : {};
    if (status["phase"] !== phase) this.#world.api.updateStatus(resource, { ...object, status: { ...status, phase } }, writer);
  }

  /** Takes the protection off an object that is being deleted and that nobody uses. */
  #letGo(resource: string, object: KubeObject, protection: string, isUnused: boolean): undefined {
    const finalizer = `kubernetes.io/${protection}`;
    const { finalizers = [], ...metadata } = object.metadata;
    if (!isUnused || !finalizers.includes(finalizer)) return;
    const kept = finalizers.filter((name) => name !== finalizer);
    this.#world.api.update(resource, { ...object, metadata: kept.length === 0 ? metadata : { ...metadata, finalizers: kept } }, writer);
  }

  #tell(about: KubeObject, type: "Normal" | "Warning", reason: string, message: string, source = "persistentvolume-controller"): void {
    this.#world.record(about, { type, reason, message, source });
  }
}

function waitingFor(named: string): string {
  return `Waiting for a volume to be created either by the external provisioner '${named}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`;
}

function keptFor(volume: KubeObject): string {
  const { namespace, name } = fieldsAt(volume, "spec.claimRef");
  return name === undefined ? "" : `${String(namespace)}/${String(name)}`;
}
