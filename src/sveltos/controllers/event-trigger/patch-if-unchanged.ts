import { isConflict, isNotFound } from "../../../kube/index.ts";
import { refOf, type Fields, type KubeObject } from "../../../core/object/index.ts";
import type { ControllerContext } from "../context/index.ts";

/**
 * Patches an object at its resourceVersion and waits until the cache has the result. False on a conflict: the caller requeues.
 * A deleted object needs no patch.
 */
export async function patchIfUnchanged(
  object: KubeObject,
  { metadata, ...fields }: { readonly metadata?: Fields; readonly [field: string]: unknown },
  { hub, cache }: Pick<ControllerContext, "hub" | "cache">,
  options: { readonly signal: AbortSignal; readonly subresource?: string },
): Promise<boolean> {
  const { resourceVersion } = object.metadata;
  const patch = { ...fields, metadata: { resourceVersion, ...metadata } };
  try {
    const written = await hub.patch(refOf(object), { type: "merge", patch }, options);
    await cache.waitForWrites([written], options.signal);
    return true;
  } catch (error) {
    if (isNotFound(error)) return true;
    if (isConflict(error)) return false;
    throw error;
  }
}
