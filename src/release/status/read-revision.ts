import { Fault } from "../../core/fault/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { latestOf, releaseText, type Release, type Revision } from "../record/index.ts";
import { readRevisions } from "./read-revisions.ts";

/** One revision of a release, by default the latest. Throws when there is none, or when its record cannot be read. */
export async function readRevision(
  release: Release,
  number: number | undefined,
  cluster: Cluster,
  options: { readonly signal: AbortSignal },
): Promise<Revision> {
  const revisions = await readRevisions(release, cluster, options);
  return revisionOf(revisions, release, number);
}

/** The revision of this number, by default the latest. Throws like `readRevision`. */
export function revisionOf(revisions: readonly Revision[], release: Release, number: number | undefined): Revision {
  const found = number === undefined ? latestOf(revisions) : revisions.find(({ revision }) => revision === number);
  const what = `read ${number === undefined ? "the latest revision" : `revision ${number}`} of release ${releaseText(release)}`;
  if (found === undefined) {
    const there = revisions.map(({ revision }) => revision).join(", ");
    throw new Fault(what, `there is none of that number: expected one of ${there}; sluice history ${release.name} shows them`, {
      final: true,
    });
  }
  if (found.state === "unknown") throw new Fault(what, found.description, { final: true });
  return found;
}
