import { refOf, type KubeObject, type ObjectRef } from "../../../core/object/index.ts";

/** An object while patches are applied to it. */
export type PatchedObject = {
  readonly object: KubeObject;
  readonly id: ObjectRef;
  /** What identified it before patches renamed it, oldest first. Patches may still name it so. */
  readonly previousIds: readonly ObjectRef[];
};

/** Whether a kind has namespaces. */
export type IsNamespaced = (ref: ObjectRef) => Promise<boolean>;

/** The namespace that targets see of objects that can have none. It is no namespace's name, but matches `.*`. */
const noNamespace = "_non_namespaceable_";

/** What identifies an object to patches: one that names no namespace is in `default`, as in Kustomize. */
export async function patchIdOf(ref: ObjectRef, isNamespaced: IsNamespaced): Promise<ObjectRef> {
  return { ...ref, namespace: (await isNamespaced(ref)) ? ref.namespace || "default" : noNamespace };
}

/** The object after a change, which may have renamed it. */
export async function afterChange(
  { id, previousIds }: PatchedObject,
  object: KubeObject,
  isNamespaced: IsNamespaced,
): Promise<PatchedObject> {
  return { object, id: await patchIdOf(refOf(object), isNamespaced), previousIds: [...previousIds, id] };
}
