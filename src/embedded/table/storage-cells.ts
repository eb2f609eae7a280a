import { isDeleting, listAt, stringAt, stringsAt, valueAt, type KubeObject } from "../../core/object/index.ts";
import { age, count, name, row, text, truth, unset, none, type PrintCell, type PrintCells } from "./cell.ts";

const modes: Readonly<Record<string, string>> = {
  ReadWriteOnce: "RWO",
  ReadOnlyMany: "ROX",
  ReadWriteMany: "RWX",
  ReadWriteOncePod: "RWOP",
};

/** The short forms of access modes in their fixed order. */
function modesText(object: KubeObject, path: string): string {
  const given = new Set(stringsAt(object, path));
  return Object.entries(modes)
    .filter(([mode]) => given.has(mode))
    .map(([, short]) => short)
    .join(",");
}

const phase: PrintCell = (object) => (isDeleting(object) ? "Terminating" : stringAt(object, "status.phase", ""));

/** Models pkg/apis/core/helper/helpers.go GetPersistentVolumeClass: the annotation of old counts first. */
const storageClass: PrintCell = (object) =>
  object.metadata.annotations?.["volume.beta.kubernetes.io/storage-class"] ?? stringAt(object, "spec.storageClassName", "");

const claim: PrintCell = (volume) => {
  const reference = valueAt(volume, "spec.claimRef");
  return reference === undefined ? "" : `${stringAt(reference, "namespace", "")}/${stringAt(reference, "name", "")}`;
};

const isBound = (object: KubeObject) => stringAt(object, "spec.volumeName", "") !== "";

const className: PrintCell = ({ metadata }) => {
  const marks = ["storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class"];
  return marks.some((mark) => metadata.annotations?.[mark] === "true") ? `${metadata.name} (default)` : metadata.name;
};

const audiences: PrintCell = (driver) => {
  if (valueAt(driver, "spec.tokenRequests") === undefined) return unset;
  return listAt(driver, "spec.tokenRequests")
    .map((request) => stringAt(request, "audience", ""))
    .join(",");
};

/** Models pkg/printers/internalversion/printers.go */
export const storageCells: Readonly<Record<string, PrintCells>> = {
  PersistentVolume: row(
    name,
    text("spec.capacity.storage", "0"),
    (volume) => modesText(volume, "spec.accessModes"),
    text("spec.persistentVolumeReclaimPolicy"),
    phase,
    claim,
    storageClass,
    text("spec.volumeAttributesClassName", unset),
    text("status.reason"),
    age,
    text("spec.volumeMode", unset),
  ),
  PersistentVolumeClaim: row(
    name,
    phase,
    text("spec.volumeName"),
    (object) => (isBound(object) ? stringAt(object, "status.capacity.storage", "0") : ""),
    (object) => (isBound(object) ? modesText(object, "status.accessModes") : ""),
    storageClass,
    text("spec.volumeAttributesClassName", unset),
    age,
    text("spec.volumeMode", unset),
  ),
  StorageClass: row(
    className,
    text("provisioner"),
    text("reclaimPolicy", "Delete"),
    text("volumeBindingMode", "Immediate"),
    truth("allowVolumeExpansion"),
    age,
  ),
  VolumeAttributesClass: row(name, text("driverName"), age),
  VolumeAttachment: row(
    name,
    text("spec.attacher"),
    text("spec.source.persistentVolumeName"),
    text("spec.nodeName"),
    truth("status.attached"),
    age,
  ),
  CSINode: row(name, count("spec.drivers"), age),
  CSIDriver: row(
    name,
    truth("spec.attachRequired", true),
    truth("spec.podInfoOnMount"),
    truth("spec.storageCapacity"),
    audiences,
    truth("spec.requiresRepublish"),
    (driver) => stringsAt(driver, "spec.volumeLifecycleModes").join(",") || none,
    age,
  ),
};
