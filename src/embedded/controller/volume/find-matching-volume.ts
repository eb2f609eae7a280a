import { fieldsAt, labelSelectorOf, stringAt, stringsAt, type KubeObject } from "../../../core/object/index.ts";
import { compareQuantities, quantityOf, type Quantity } from "../../builtin/index.ts";

/** Finds the smallest unbound volume that satisfies a claim. Models component-helpers storage/volume/pv_helpers.go FindMatchingVolume */
export function findMatchingVolume(claim: KubeObject, volumes: readonly KubeObject[]): KubeObject | undefined {
  const fitting = volumes.filter(
    (volume) => stringAt(volume, "status.phase") !== "Released" && isFree(volume, claim) && volumeMismatch(volume, claim) === undefined,
  );
  const reserved = fitting.find((volume) => stringAt(volume, "spec.claimRef.name") !== undefined);
  return (
    reserved ??
    fitting.toSorted((a, b) => compareQuantities(capacityOf(a), capacityOf(b)) || (a.metadata.name < b.metadata.name ? -1 : 1))[0]
  );
}

/** Whether a volume is unbound, or reserved for this claim. */
export function isFree(volume: KubeObject, claim: KubeObject): boolean {
  if (volume.metadata.deletionTimestamp !== undefined) return false;
  const { name, namespace, uid } = fieldsAt(volume, "spec.claimRef");
  if (name === undefined) return true;
  return (
    name === claim.metadata.name &&
    namespace === claim.metadata.namespace &&
    (uid === undefined || uid === "" || uid === claim.metadata.uid)
  );
}

/** Why a volume does not satisfy a claim. Models pkg/controller/volume/persistentvolume checkVolumeSatisfyClaim */
export function volumeMismatch(volume: KubeObject, claim: KubeObject): string | undefined {
  const wanted = quantityOf(fieldsAt(claim, "spec.resources.requests")["storage"]);
  if (compareQuantities(capacityOf(volume), wanted) < 0) return "requested PV is too small";
  if (storageClassNameOf(volume) !== storageClassNameOf(claim)) return "storageClassName does not match";
  const modes = stringsAt(volume, "spec.accessModes");
  if (!stringsAt(claim, "spec.accessModes").every((mode) => modes.includes(mode))) return "incompatible accessMode";
  if (stringAt(volume, "spec.volumeMode", "Filesystem") !== stringAt(claim, "spec.volumeMode", "Filesystem"))
    return "incompatible volumeMode";
  const selector = fieldsAt(claim, "spec")["selector"];
  if (typeof selector !== "object" || selector === null) return undefined;
  return labelSelectorOf(selector).matches(volume.metadata.labels ?? {}) ? undefined : "label selector does not match";
}

export function storageClassNameOf(object: KubeObject): string {
  return object.metadata.annotations?.["volume.beta.kubernetes.io/storage-class"] ?? stringAt(object, "spec.storageClassName", "");
}

function capacityOf(volume: KubeObject): Quantity {
  return quantityOf(fieldsAt(volume, "spec.capacity")["storage"]);
}
