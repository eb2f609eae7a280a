import { fieldsAt, isFields, stringAt, type KubeObject } from "../../../core/object/index.ts";
import { storageClassNameOf } from "./find-matching-volume.ts";

export const bindCompleted = "pv.kubernetes.io/bind-completed";
const boundByController = "pv.kubernetes.io/bound-by-controller";
const provisionedBy = "pv.kubernetes.io/provisioned-by";

function claimRefOf({ metadata }: KubeObject): Readonly<Record<string, unknown>> {
  const { namespace, name, uid, resourceVersion } = metadata;
  return { kind: "PersistentVolumeClaim", namespace, name, uid, apiVersion: "v1", resourceVersion };
}

/** The volume that a provisioner creates for a claim. Models sigs.k8s.io/sig-storage-lib-external-provisioner controller.go */
export function volumeFor(claim: KubeObject, storageClass: KubeObject): KubeObject {
  const node = claim.metadata.annotations?.["volume.kubernetes.io/selected-node"];
  const required = { nodeSelectorTerms: [{ matchExpressions: [{ key: "kubernetes.io/hostname", operator: "In", values: [node] }] }] };
  const options = storageClass["mountOptions"];
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: {
      name: `pvc-${claim.metadata.uid ?? ""}`,
      annotations: { [provisionedBy]: stringAt(storageClass, "provisioner", "") },
      finalizers: ["kubernetes.io/pv-protection"],
    },
    spec: {
      accessModes: fieldsAt(claim, "spec")["accessModes"],
      capacity: { storage: fieldsAt(claim, "spec.resources.requests")["storage"] },
      claimRef: claimRefOf(claim),
      hostPath: { path: `/var/lib/sluice/${claim.metadata.namespace ?? ""}/${claim.metadata.name}`, type: "DirectoryOrCreate" },
      persistentVolumeReclaimPolicy: stringAt(storageClass, "reclaimPolicy", "Delete"),
      storageClassName: storageClassNameOf(claim),
      volumeMode: stringAt(claim, "spec.volumeMode", "Filesystem"),
      ...(Array.isArray(options) ? { mountOptions: options } : {}),
      ...(node === undefined ? {} : { nodeAffinity: { required } }),
    },
  };
}

/** A volume with its claimRef set. */
export function boundVolume(volume: KubeObject, claim: KubeObject): KubeObject {
  const { claimRef, ...spec } = fieldsAt(volume, "spec");
  // A claimRef that exists was set by a user, not by the controller.
  const byUs = isFields(claimRef) ? {} : { [boundByController]: "yes" };
  const annotations = { ...volume.metadata.annotations, ...byUs };
  const named = isFields(claimRef) ? claimRef : {};
  return {
    ...volume,
    metadata: { ...volume.metadata, ...(Object.keys(annotations).length === 0 ? {} : { annotations }) },
    spec: { ...spec, claimRef: named["uid"] === claim.metadata.uid ? named : { ...named, ...claimRefOf(claim) } },
  };
}

/** A claim with its volumeName set. */
export function boundClaim(claim: KubeObject, volume: string): KubeObject {
  const spec = fieldsAt(claim, "spec");
  const chosen = spec["volumeName"] === undefined ? { [boundByController]: "yes" } : {};
  const annotations = { ...claim.metadata.annotations, [bindCompleted]: "yes", ...chosen };
  return { ...claim, metadata: { ...claim.metadata, annotations }, spec: { ...spec, volumeName: volume } };
}

export function claimStatus(claim: KubeObject, volume: KubeObject): object {
  return {
    ...fieldsAt(claim, "status"),
    phase: "Bound",
    accessModes: fieldsAt(volume, "spec")["accessModes"],
    capacity: fieldsAt(volume, "spec.capacity"),
  };
}
