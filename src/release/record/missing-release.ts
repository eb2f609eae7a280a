import { Fault } from "../../core/fault/index.ts";
import { isForbidden, type Cluster } from "../../kube/index.ts";
import { historyOf, type HistoryOptions } from "./history.ts";
import { releaseText, type Release } from "./revision.ts";

/** The error for a missing release. It names other namespaces that have a release of this name. */
export async function missingRelease(release: Release, cluster: Cluster, options: HistoryOptions = {}): Promise<Fault> {
  const elsewhere = await namespacesWith(release.name, cluster, options);
  const advice =
    elsewhere.length === 0
      ? "sluice list -A shows all there are"
      : `there is one of that name in ${elsewhere.join(", ")}: choose its namespace with -n`;
  return new Fault(`find release ${releaseText(release)}`, `there is no such release: ${advice}`, { final: true });
}

/** Users who may not list all namespaces get no hint. */
async function namespacesWith(name: string, cluster: Cluster, options: HistoryOptions): Promise<readonly string[]> {
  try {
    const all = await historyOf(cluster).list(undefined, options);
    return all.filter((each) => each.name === name).map(({ namespace }) => namespace);
  } catch (error) {
    if (error instanceof Fault && isForbidden(error.cause)) return [];
    throw error;
  }
}
