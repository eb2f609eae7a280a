import type { Cluster } from "../../kube/index.ts";
import { keyOf, refOf } from "../../core/object/index.ts";
import type { LocatedManifest } from "../../lang/yaml/index.ts";
import type { Ordered } from "../order/index.ts";
import type { DesiredManifest } from "../plan/index.ts";
import type { Revision } from "../record/index.ts";
import { manifestsInRevision } from "./manifests-in-revision.ts";
import { orderRecorded } from "./order-recorded.ts";
import { readKinds, scopeOf } from "./read-kinds.ts";

/**
 * Reads what a release may have in the cluster by its records, in manifest order: the last deployed revision and the
 * unfinished ones after it. The later manifest of an object wins. An object that became a hook is listed twice, because
 * the resource that it was may have to be pruned.
 *
 * Problems are ignored, because recorded manifests were accepted once. Kinds that are no longer served have no objects
 * and are left out.
 */
export async function readPreviousManifests(
  revisions: readonly Revision[],
  cluster: Cluster,
  namespace: string,
): Promise<readonly Ordered<DesiredManifest>[]> {
  const manifests = sinceDeployed(revisions).flatMap(manifestsInRevision);
  const findKind = await readKinds(
    manifests.map(({ object }) => object),
    cluster,
  );
  const byKey = new Map<string, LocatedManifest>();
  for (const manifest of manifests) {
    const ref = refOf(manifest.object);
    const scope = scopeOf(findKind(ref));
    if (scope === undefined) continue;
    const key = keyOf({ ...ref, namespace: scope === "cluster" ? "" : ref.namespace || namespace });
    byKey.set(isHook(manifest) ? `hook ${key}` : key, manifest);
  }
  return orderRecorded([...byKey.values()], findKind, namespace);
}

function isHook({ object }: LocatedManifest): boolean {
  return object.metadata.annotations?.["helm.sh/hook"] !== undefined;
}

/** Models helm pkg/action: revisions that were uninstalled or superseded have no objects left. */
function sinceDeployed(revisions: readonly Revision[]): readonly Revision[] {
  const deployed = revisions.findLastIndex(({ state }) => state === "deployed");
  const gone = revisions.findLastIndex(({ state }) => state === "uninstalled");
  return revisions.slice(gone > deployed ? gone + 1 : Math.max(deployed, 0)).filter(({ state }) => state !== "unknown");
}

/** The objects of a revision in order, including those of kinds that are not served. */
export async function readRevisionManifests(revision: Revision, cluster: Cluster): Promise<readonly Ordered<DesiredManifest>[]> {
  const manifests = manifestsInRevision(revision);
  const findKind = await readKinds(
    manifests.map(({ object }) => object),
    cluster,
  );
  return orderRecorded(manifests, findKind, revision.namespace);
}
