import type { KubeObject } from "../../../core/object/index.ts";
import type { Mutation } from "./plugin.ts";

// Models plugin/pkg/admission/storage/storageobjectinuseprotection/admission.go

/** Keeps a claim while a Pod uses it. */
export const protectClaim: Mutation = (claim, { operation }) =>
  operation === "CREATE" ? kept(claim, "kubernetes.io/pvc-protection") : claim;

/** Keeps a volume while it is bound. */
export const protectVolume: Mutation = (volume, { operation }) =>
  operation === "CREATE" ? kept(volume, "kubernetes.io/pv-protection") : volume;

function kept(object: KubeObject, finalizer: string): KubeObject {
  const { finalizers = [] } = object.metadata;
  if (finalizers.includes(finalizer)) return object;
  return { ...object, metadata: { ...object.metadata, finalizers: [...finalizers, finalizer] } };
}
