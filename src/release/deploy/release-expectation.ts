import { Fault } from "../../core/fault/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { historyOf, latestOf, missingRelease, releaseText, type Release, type Revision } from "../record/index.ts";

/**
 * What the records have to say of a release before it is deployed. `new`: no record. `replaceable`: none, or those of a release
 * that failed or was deleted. `existing`: a release that is not deleted.
 */
export type ReleaseExpectation = "new" | "replaceable" | "existing";

/** Throws when the release in the cluster is not as expected. */
export async function checkRelease(
  release: Release,
  expects: ReleaseExpectation | undefined,
  cluster: Cluster,
  { signal }: { readonly signal: AbortSignal },
): Promise<void> {
  if (expects === undefined) return;
  await checkRevisions(release, expects, await historyOf(cluster).revisions(release, { signal }), cluster, signal);
}

/** Throws when a release with these revisions is not as expected. Models helm pkg/action: availableName, prepareUpgrade */
export async function checkRevisions(
  release: Release,
  expects: ReleaseExpectation | undefined,
  revisions: readonly Revision[],
  cluster: Cluster,
  signal: AbortSignal,
): Promise<void> {
  const latest = latestOf(revisions);
  if (expects === undefined) return;
  if (expects !== "existing") {
    if (latest !== undefined && !isFree(latest, expects)) throw nameInUse(release, latest);
    return;
  }
  if (latest !== undefined && latest.state !== "uninstalled") return;
  const what = `upgrade ${release.name}: ${JSON.stringify(release.name)} has no deployed releases`;
  const advice = "upgrade --install installs it";
  if (latest !== undefined)
    throw new Fault(what, `${releaseText(release)} was deleted, and its history is kept: ${advice}`, { final: true });
  throw new Fault(`${what} (${advice})`, await missingRelease(release, cluster, { signal }), { final: true });
}

/** An installation that was interrupted is carried on by the same command. */
function isFree({ state, stored }: Revision, expects: "new" | "replaceable"): boolean {
  if (state === "pending-install" && stored?.writer === "sluice") return true;
  return expects === "replaceable" && (state === "failed" || state === "uninstalled");
}

function nameInUse(release: Release, { revision, state }: Revision): Fault {
  const advice =
    state === "failed" || state === "uninstalled"
      ? "install --replace, or upgrade --install, goes on with it"
      : `sluice upgrade ${release.name} changes it; choose another name for another release`;
  const found = `${releaseText(release)} is at revision ${revision}, which is ${state}: ${advice}`;
  return new Fault(`install ${release.name}: cannot reuse a name that is still in use`, found, { final: true });
}
