import { isConflict, type Cluster } from "../../kube/index.ts";
import { refOf, type KubeObject } from "../../core/object/index.ts";
import { migratedManagedFields } from "../live/index.ts";

type Migration = { readonly from: readonly string[]; readonly manager: string };

/** How often a write of somebody else in between is put up with. */
const maxAttempts = 5;

/**
 * Makes the fields that others own by client-side apply those of `manager`, as if it had applied them. Changes no other
 * field. An apply afterwards removes those that the manifest does not have. Models k8s.io/client-go util/csaupgrade
 */
export async function migrateFieldOwnership(
  manifest: KubeObject,
  { from, manager }: Migration,
  cluster: Cluster,
  signal: AbortSignal,
): Promise<void> {
  const ref = refOf(manifest);
  for (let attempt = 1; ; attempt++) {
    const live = await cluster.find(ref, { signal });
    if (live === undefined) return;
    const { managedFields = [], resourceVersion } = live.metadata;
    // The server gives what it has not tracked so far an entry at the first apply.
    const tracked = managedFields.length > 0 ? live : await cluster.apply(manifest, { manager, force: true, signal });
    const migrated = migratedManagedFields(tracked, from, manager);
    if (migrated === undefined) return;
    // A replaced resourceVersion makes a write in between a conflict; a failed `test` would be an invalid request.
    const patch = [
      { op: "replace", path: "/metadata/managedFields", value: migrated },
      { op: "replace", path: "/metadata/resourceVersion", value: tracked.metadata.resourceVersion ?? resourceVersion },
    ];
    try {
      await cluster.patch(ref, { type: "json", patch }, { manager, signal });
      return;
    } catch (error) {
      if (!isConflict(error) || attempt === maxAttempts) throw error;
    }
  }
}
