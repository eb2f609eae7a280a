import type { KubeObject } from "../../../core/object/index.ts";
import type { MutatingPlugin } from "./plugin.ts";

// Models plugin/pkg/admission/storage/storageobjectinuseprotection/admission.go

/** Adds the finalizer that holds a claim while a Pod uses it. */
export const admitClaimProtection: MutatingPlugin = (claim, { operation }) =>
  operation === "CREATE" ? withFinalizer(claim, "kubernetes.io/pvc-protection") : claim;

/** Adds the finalizer that holds a volume while it is bound. */
export const admitVolumeProtection: MutatingPlugin = (volume, { operation }) =>
  operation === "CREATE" ? withFinalizer(volume, "kubernetes.io/pv-protection") : volume;

function withFinalizer(object: KubeObject, finalizer: string): KubeObject {
  const { finalizers = [] } = object.metadata;
  if (finalizers.includes(finalizer)) return object;
  return { ...object, metadata: { ...object.metadata, finalizers: [...finalizers, finalizer] } };
}
