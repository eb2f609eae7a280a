import type { Cluster } from "../../kube/index.ts";
import { keyOf } from "../../core/object/index.ts";
import type { Ordered } from "../order/index.ts";
import type { DesiredManifest } from "../plan/index.ts";
import { readPreviousManifests, readRevisionManifests } from "../prepare/index.ts";
import { latestOf, type Revision } from "../record/index.ts";

/** The recorded objects of a release: those of its latest revision, and those left of earlier ones. */
export async function readRecordedObjects(
  revisions: readonly Revision[],
  cluster: Cluster,
): Promise<{ readonly wanted: readonly Ordered<DesiredManifest>[]; readonly left: readonly Ordered<DesiredManifest>[] }> {
  const latest = latestOf(revisions)!;
  if (latest.state === "uninstalled") return { wanted: [], left: [] };
  const wanted = await readRevisionManifests(latest, cluster);
  if (latest.state === "deployed") return { wanted, left: [] };
  const keys = new Set(wanted.map(({ ref }) => keyOf(ref)));
  const previous = await readPreviousManifests(revisions, cluster, latest.namespace);
  return { wanted, left: previous.filter(({ ref, constraints }) => !constraints.hook && !keys.has(keyOf(ref))) };
}
