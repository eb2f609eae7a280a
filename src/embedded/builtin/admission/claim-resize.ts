import { booleanAt, fieldsAt, mapAt, stringAt, type KubeObject } from "../../../core/object/index.ts";
import { compare, quantityOf, type Quantity } from "../quantity.ts";
import { forbidden, type Check, type Surroundings } from "./plugin.ts";

// Models plugin/pkg/admission/storage/persistentvolume/resize/admission.go

/** A claim grows only when it is bound to a volume whose class can grow. */
export const growOnlyWhatCanGrow: Check = (attempt, around) => {
  const { operation, object, live } = attempt;
  if (operation !== "UPDATE" || live === undefined || compare(sizeOf(object), sizeOf(live)) <= 0) return;
  if (stringAt(live, "status.phase") !== "Bound") throw forbidden(attempt, "Only bound persistent volume claims can be expanded");
  if (canGrow(object, live, around)) return;
  throw forbidden(
    attempt,
    "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize",
  );
};

function sizeOf(claim: KubeObject): Quantity {
  return quantityOf(fieldsAt(claim, "spec.resources.requests")["storage"]);
}

function canGrow(claim: KubeObject, live: KubeObject, around: Surroundings): boolean {
  const name = storageClassOf(claim);
  if (name === "" || name !== storageClassOf(live)) return false;
  return booleanAt(around.read("storageclasses.storage.k8s.io", "", name), "allowVolumeExpansion");
}

/** Models component-helpers storage/volume GetPersistentVolumeClaimClass */
export function storageClassOf(claim: KubeObject): string {
  return mapAt(claim, "metadata.annotations")["volume.beta.kubernetes.io/storage-class"] ?? stringAt(claim, "spec.storageClassName", "");
}
