import { fieldsAt, listAt, stringAt, type KubeObject } from "../../../core/object/index.ts";
import type { Pod } from "../../behaviour/index.ts";
import type { ApiClient } from "../../apiserver/index.ts";
import { matchesNodeSelectorTerms } from "../node/index.ts";

export const selectedNode = "volume.kubernetes.io/selected-node";
const bindCompleted = "pv.kubernetes.io/bind-completed";

/** The claims of a pod, as far as they constrain its node. */
type PodVolumeClaims = {
  /** Why the pod is unschedulable for now. */
  readonly unschedulable?: string;
  /** Claims with WaitForFirstConsumer, which are bound once a node is selected. */
  readonly waiting: readonly KubeObject[];
  /** Volumes that are bound already, some of them with node affinity. */
  readonly volumes: readonly KubeObject[];
};

/** The claims of a pod's volumes, those of ephemeral volumes included. Models component-helpers storage/ephemeral */
export function claimNamesOf(pod: Pod): readonly string[] {
  return listAt(pod.spec, "volumes").flatMap((volume) => {
    if (volume["ephemeral"] !== undefined) return [`${pod.metadata.name}-${stringAt(volume, "name", "")}`];
    const name = stringAt(volume, "persistentVolumeClaim.claimName");
    return name === undefined ? [] : [name];
  });
}

/** Models pkg/scheduler/framework/plugins/volumebinding/volume_binding.go PreFilter */
export function podVolumeClaimsOf(pod: Pod, api: ApiClient): PodVolumeClaims {
  const waiting: KubeObject[] = [];
  const volumes: KubeObject[] = [];
  let unbound = false;
  for (const name of claimNamesOf(pod)) {
    const claim = api.read("persistentvolumeclaims", pod.metadata.namespace ?? "", name);
    if (claim === undefined) return { unschedulable: `persistentvolumeclaim "${name}" not found`, waiting, volumes };
    if (stringAt(claim, "status.phase") === "Lost") {
      const volume = stringAt(claim, "spec.volumeName", "");
      return { unschedulable: `persistentvolumeclaim "${name}" bound to non-existent persistentvolume "${volume}"`, waiting, volumes };
    }
    if (claim.metadata.deletionTimestamp !== undefined)
      return { unschedulable: `persistentvolumeclaim "${name}" is being deleted`, waiting, volumes };
    if (isBound(claim)) {
      const volume = api.read("persistentvolumes", "", stringAt(claim, "spec.volumeName", ""));
      if (volume !== undefined) volumes.push(volume);
    } else if (waitsForConsumer(claim, api)) waiting.push(claim);
    else unbound = true;
  }
  return unbound ? { unschedulable: "pod has unbound immediate PersistentVolumeClaims", waiting, volumes } : { waiting, volumes };
}

function isBound(claim: KubeObject): boolean {
  return stringAt(claim, "spec.volumeName", "") !== "" && claim.metadata.annotations?.[bindCompleted] !== undefined;
}

function waitsForConsumer(claim: KubeObject, api: ApiClient): boolean {
  const storageClass = api.read("storageclasses.storage.k8s.io", "", stringAt(claim, "spec.storageClassName", ""));
  return stringAt(storageClass, "volumeBindingMode") === "WaitForFirstConsumer";
}

/** Excludes nodes that a volume's node affinity excludes, and all nodes but the selected one of a waiting claim. */
export function volumeFilter({ volumes, waiting }: PodVolumeClaims): (node: KubeObject) => string | undefined {
  return (node) => {
    const elsewhere = waiting.some((claim) => (claim.metadata.annotations?.[selectedNode] ?? node.metadata.name) !== node.metadata.name);
    if (elsewhere) return "node(s) didn't find available persistent volumes to bind";
    const conflicts = volumes.some((volume) => {
      const required = fieldsAt(volume, "spec.nodeAffinity.required");
      return Object.keys(required).length > 0 && !matchesNodeSelectorTerms(listAt(required, "nodeSelectorTerms"), node);
    });
    return conflicts ? "node(s) didn't match PersistentVolume's node affinity" : undefined;
  };
}
