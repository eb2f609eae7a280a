import { booleanAt, fieldsAt, mapAt, stringAt, type KubeObject } from "../../../core/object/index.ts";
import { compareQuantities, quantityOf, type Quantity } from "../quantity.ts";
import { admissionForbidden, type ValidatingPlugin, type AdmissionContext } from "./plugin.ts";

// Models plugin/pkg/admission/storage/persistentvolume/resize/admission.go

/** Rejects the expansion of a claim unless it is bound and its storage class allows expansion. */
export const validatePersistentVolumeClaimResize: ValidatingPlugin = (attributes, context) => {
  const { operation, object, live } = attributes;
  if (operation !== "UPDATE" || live === undefined || compareQuantities(sizeOf(object), sizeOf(live)) <= 0) return;
  if (stringAt(live, "status.phase") !== "Bound")
    throw admissionForbidden(attributes, "Only bound persistent volume claims can be expanded");
  if (allowsExpansion(object, live, context)) return;
  throw admissionForbidden(
    attributes,
    "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize",
  );
};

function sizeOf(claim: KubeObject): Quantity {
  return quantityOf(fieldsAt(claim, "spec.resources.requests")["storage"]);
}

function allowsExpansion(claim: KubeObject, live: KubeObject, context: AdmissionContext): boolean {
  const name = storageClassOf(claim);
  if (name === "" || name !== storageClassOf(live)) return false;
  return booleanAt(context.read("storageclasses.storage.k8s.io", "", name), "allowVolumeExpansion");
}

/** Models component-helpers storage/volume GetPersistentVolumeClaimClass */
export function storageClassOf(claim: KubeObject): string {
  return mapAt(claim, "metadata.annotations")["volume.beta.kubernetes.io/storage-class"] ?? stringAt(claim, "spec.storageClassName", "");
}
