import { fieldsAt, listAt, mapAt, stringAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { isSemanticDeepEqual, isUnset } from "../field-edits.ts";
import { nodeLabelWarning, nodeSelectorTermWarnings } from "./node-label.ts";
import { fractionWarnings } from "./fraction.ts";

const storageClassAnnotation = "volume.beta.kubernetes.io/storage-class";
const useStorageClassName = 'deprecated since v1.8; use "storageClassName" attribute instead';

/** Models pkg/api/persistentvolumeclaim/util.go */
export function claimWarnings(claim: KubeObject): readonly string[] {
  const isAnnotated = storageClassAnnotation in (claim.metadata.annotations ?? {});
  return [
    ...(isAnnotated ? [`metadata.annotations[${storageClassAnnotation}]: ${useStorageClassName}`] : []),
    ...claimSpecWarnings(fieldsAt(claim, "spec"), "spec"),
  ];
}

export function claimSpecWarnings(spec: Fields, path: string): readonly string[] {
  return ["requests", "limits"].flatMap((list) => fractionWarnings(spec, `${path}.resources.${list}`, `resources.${list}`, "storage"));
}

const deprecatedPlugins = [
  ["cephfs", "deprecated in v1.28, non-functional in v1.31+"],
  ["photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"],
  ["scaleIO", "deprecated in v1.16, non-functional in v1.22+"],
  ["storageos", "deprecated in v1.22, non-functional in v1.25+", "storageOS"],
  ["glusterfs", "deprecated in v1.25, non-functional in v1.26+"],
  ["rbd", "deprecated in v1.28, non-functional in v1.31+"],
] as const;

/** Models pkg/api/persistentvolume/util.go */
export function volumeWarnings(volume: KubeObject): readonly string[] {
  const spec = fieldsAt(volume, "spec");
  const annotations = mapAt(volume, "metadata.annotations");
  const mountOptions = "volume.beta.kubernetes.io/mount-options";
  const terms = "nodeAffinity.required.nodeSelectorTerms";
  return [
    ...(storageClassAnnotation in annotations ? [`metadata.annotations[${storageClassAnnotation}]: ${useStorageClassName}`] : []),
    ...(mountOptions in annotations
      ? [`metadata.annotations[${mountOptions}]: deprecated since v1.31; use "mountOptions" attribute instead`]
      : []),
    ...(stringAt(spec, "persistentVolumeReclaimPolicy") === "Recycle"
      ? [
          "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.",
        ]
      : []),
    ...listAt(spec, terms).flatMap((term, index) => nodeSelectorTermWarnings(term, `spec.${terms}[${index}]`)),
    ...deprecatedPlugins.flatMap(([field, reason, shown = field]) => (isUnset(spec[field]) ? [] : [`spec.${shown}: ${reason}`])),
  ];
}

/** Models pkg/api/storage/util.go */
export function storageClassWarnings(storageClass: KubeObject): readonly string[] {
  return listAt(storageClass, "allowedTopologies").flatMap((topology, index) =>
    listAt(topology, "matchLabelExpressions").flatMap((expression, at) =>
      nodeLabelWarning(
        stringAt(expression, "key", ""),
        (reason) => `allowedTopologies[${index}].matchLabelExpressions[${at}].key: ${reason}`,
      ),
    ),
  );
}

/** Models pkg/registry/storage/csidriver/strategy.go */
export function driverWarnings(driver: KubeObject, live?: KubeObject): readonly string[] {
  const spec = fieldsAt(driver, "spec");
  const requests = listAt(spec, "tokenRequests");
  const isOld = live !== undefined && isSemanticDeepEqual(requests, listAt(live, "spec.tokenRequests"));
  if (requests.length === 0 || isOld || !isUnset(spec["serviceAccountTokenInSecrets"])) return [];
  return [
    "spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes",
  ];
}
