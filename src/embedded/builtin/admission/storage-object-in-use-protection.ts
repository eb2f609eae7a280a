import type { KubeObject } from "../../../core/object/index.ts";
import type { MutatingPlugin } from "./plugin.ts";

// Models plugin/pkg/admission/storage/storageobjectinuseprotection/admission.go

/** Adds the finalizer that holds a claim while a Pod uses it, and a volume while it is bound. */
export const admitStorageObjectInUseProtection: MutatingPlugin = (object, { operation, resource }) => {
  if (operation !== "CREATE") return object;
  return withFinalizer(object, resource.key === "persistentvolumes" ? "kubernetes.io/pv-protection" : "kubernetes.io/pvc-protection");
};

function withFinalizer(object: KubeObject, finalizer: string): KubeObject {
  const { finalizers = [] } = object.metadata;
  if (finalizers.includes(finalizer)) return object;
  return { ...object, metadata: { ...object.metadata, finalizers: [...finalizers, finalizer] } };
}
