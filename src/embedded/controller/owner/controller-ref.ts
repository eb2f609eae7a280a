import type { KubeObject, OwnerReference } from "../../../core/object/index.ts";
import type { ApiClient } from "../../apiserver/index.ts";

/** The field manager of these controllers, as in a real cluster: one process runs them all. */
export const controllerManager = "kube-controller-manager";

/** The owner reference of an object's controller, if it has one. */
export function controllerOf({ metadata }: KubeObject): OwnerReference | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller === true);
}

export function isControlledBy(object: KubeObject, owner: KubeObject): boolean {
  return controllerOf(object)?.uid === owner.metadata.uid;
}

/** The owner reference that a controller sets on the objects it creates. */
export function newControllerRef({ apiVersion, kind, metadata }: KubeObject): OwnerReference {
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid ?? "", controller: true, blockOwnerDeletion: true };
}

/** The Pods that `owner` controls, in any phase. */
export function ownedPods(api: ApiClient, owner: KubeObject): KubeObject[] {
  const uid = owner.metadata.uid ?? "";
  const pods: KubeObject[] = [];
  for (const { resource, object } of api.ownedBy(uid)) {
    if (resource === "pods" && controllerOf(object)?.uid === uid) pods.push(object);
  }
  return pods;
}
