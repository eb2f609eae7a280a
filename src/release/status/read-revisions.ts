import type { Cluster } from "../../kube/index.ts";
import { historyOf, missingRelease, type Release, type Revision } from "../record/index.ts";

type Options = { readonly signal: AbortSignal };

/** All revisions of a release, oldest first. Throws when there is none, and names other namespaces that have one. */
export async function readRevisions(release: Release, cluster: Cluster, options: Options): Promise<readonly Revision[]> {
  const revisions = await historyOf(cluster).revisions(release, options);
  if (revisions.length === 0) throw await missingRelease(release, cluster, options);
  return revisions;
}
