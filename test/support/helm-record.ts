import type { Cluster } from "../../src/kube/index.ts";
import { historyOf, latestOf, storageObjectOf, withState, type Release, type RevisionState } from "../../src/release/record/index.ts";

/** What Helm writes when it begins the next revision of a release: the latest one again, in this state. */
export async function beginAsHelm(cluster: Cluster, release: Release, state: RevisionState, at: number): Promise<void> {
  const latest = latestOf(await historyOf(cluster).revisions(release));
  if (latest === undefined) throw new Error(`there is no release ${release.name}`);
  const { stored: _stored, ...content } = latest;
  const next = { ...content, revision: latest.revision + 1, lastDeployed: new Date(at).toISOString() };
  await cluster.create(asHelm(storageObjectOf(withState(next, state, "Preparing upgrade"), at)));
}

/** What Helm writes when it goes on with the latest revision or ends it: that one, in this state. */
export async function endAsHelm(cluster: Cluster, release: Release, state: RevisionState): Promise<void> {
  const revisions = await historyOf(cluster).revisions(release);
  const latest = latestOf(revisions);
  if (latest === undefined) throw new Error(`there is no release ${release.name}`);
  const now = cluster.clock.now();
  await cluster.replace(
    asHelm(storageObjectOf(withState({ ...latest, lastDeployed: new Date(now).toISOString() }, state, "Upgrade complete"), now)),
  );
  if (state !== "deployed") return;
  for (const before of revisions.filter((each) => each.state === "deployed"))
    await cluster.replace(asHelm(storageObjectOf({ ...before, state: "superseded" }, now)));
}

/** Helm writes the whole object, without our annotation. */
function asHelm(object: ReturnType<typeof storageObjectOf>): ReturnType<typeof storageObjectOf> {
  const { annotations: _ours, ...metadata } = object.metadata;
  return { ...object, metadata };
}
