import { fieldManager } from "../api/index.ts";
import { Fault } from "../../core/fault/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { titleOf } from "../../core/object/index.ts";
import type { ProfileManifest } from "./profile-manifest.ts";

/** Applies the subresources that the source of a manifest asks for and that the manifest has. */
export async function applySubresources(
  profileManifests: readonly ProfileManifest[],
  cluster: Cluster,
  { signal }: { readonly signal: AbortSignal },
): Promise<void> {
  for (const { object, ref, subresources } of profileManifests) {
    for (const subresource of subresources) {
      if (object[subresource] === undefined) continue;
      const { apiVersion, kind, metadata } = object;
      const { name, namespace } = metadata;
      const part = {
        apiVersion,
        kind,
        metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
        [subresource]: object[subresource],
      };
      await cluster.apply(part, { manager: fieldManager, force: true, subresource, signal }).catch((error: unknown) => {
        throw new Fault(`apply ${subresource} of ${titleOf(ref)}`, error);
      });
    }
  }
}
