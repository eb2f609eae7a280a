import { Fault } from "../../fault/index.ts";
import { isForbidden, type Cluster } from "../../kube/index.ts";
import { historyOf, releaseText, type Release, type Revision } from "../record/index.ts";

type Options = { readonly signal: AbortSignal };

/** All revisions of a release, oldest first. That there is none is thrown, with where else one of its name is. */
export async function readRevisions(release: Release, cluster: Cluster, options: Options): Promise<readonly Revision[]> {
  const revisions = await historyOf(cluster).revisions(release, options);
  if (revisions.length > 0) return revisions;
  const elsewhere = await namespacesWith(release.name, cluster, options);
  const advice =
    elsewhere.length === 0
      ? "sluice list -A shows all there are"
      : `there is one of that name in ${elsewhere.join(", ")}: choose its namespace with -n`;
  throw new Fault(`find release ${releaseText(release)}`, `there is no such release: ${advice}`, { final: true });
}

/** Who may not look into all namespaces is told of this one alone. */
async function namespacesWith(name: string, cluster: Cluster, options: Options): Promise<readonly string[]> {
  try {
    const all = await historyOf(cluster).list(undefined, options);
    return all.filter((each) => each.name === name).map(({ namespace }) => namespace);
  } catch (error) {
    if (error instanceof Fault && isForbidden(error.cause)) return [];
    throw error;
  }
}
