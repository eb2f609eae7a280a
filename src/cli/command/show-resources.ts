import type { Cluster } from "../../kube/index.ts";
import { clusterText, resourceSummary, resourceTable, type AddonOutline, type ResourceOutline } from "../../view/index.ts";
import type { ShowResourcesFlags } from "../command-group/show-fleet.ts";
import { exitCodes } from "../failure.ts";
import { warnWithoutController } from "../fleet/controller-absence.ts";
import { formatOutput } from "../format-output.ts";
import type { Terminal } from "../terminal.ts";
import { warningPrinter } from "../warning-printer.ts";
import { hasDied } from "../process-identity.ts";
import { withManagementCluster } from "../fleet/with-management-cluster.ts";
import {
  addonsIn,
  compareClusters,
  requireCluster,
  readDeployedObjects,
  unknownObjects,
  listTriggersByProfile,
  requireProfile,
  type OnUnreadable,
  ManagedClusters,
} from "../../sveltos/inspect/index.ts";
import { listSveltosObjects } from "../../sveltos/fleet/index.ts";

/** Prints every object that profiles have deployed in the clusters of the fleet, and how each is doing there. */
export async function showResources(options: ShowResourcesFlags, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const { namespace, cluster, profile, failed, output, ...place } = options;
  const warn = warningPrinter(terminal);
  return withManagementCluster(place, terminal, async ({ cluster: hub }) => {
    const [configurations, triggers] = await Promise.all([
      listSveltosObjects(hub, "ClusterConfiguration", { signal, ...(namespace === undefined ? {} : { namespace }) }),
      listTriggersByProfile(hub, warn, signal),
    ]);
    const filter = { ...(cluster === undefined ? {} : { cluster }), ...(profile === undefined ? {} : { profile }) };
    const addons = addonsIn(configurations, filter, triggers);
    if (addons.length === 0 && cluster !== undefined) await requireCluster(hub, cluster, namespace, signal);
    if (addons.length === 0 && profile !== undefined) await requireProfile(hub, profile, signal);
    const all = await readHealths(addons, hub, warn, signal);
    const shown = failed ? all.filter(({ health }) => health !== "ready") : all;
    if (output !== "table") terminal.out(formatOutput(shown, output));
    else if (shown.length > 0) for (const line of resourceTable(shown)) terminal.out(line);
    if (output === "table") terminal.err(all.length === 0 ? "nothing is deployed" : resourceSummary(all, terminal.paint));
    await warnWithoutController(hub, terminal, signal);
    return exitCodes.ok;
  });
}

/** Asks all clusters, some at a time. Those that do not answer are named once. */
async function readHealths(
  addons: readonly AddonOutline[],
  hub: Cluster,
  warn: OnUnreadable,
  signal: AbortSignal,
): Promise<readonly ResourceOutline[]> {
  if (addons.length === 0) return [];
  const clusters = await ManagedClusters.list(hub, signal);
  const remote = addons.filter(({ deploymentType }) => deploymentType === "Remote");
  const groups = [...Map.groupBy(remote, ({ cluster }) => `${cluster.type}/${clusterText(cluster)}`).values()];
  const found = await Promise.all([
    ...groups.map(async (group): Promise<readonly ResourceOutline[]> => {
      const { cluster } = group[0]!;
      const answer = await clusters.ask(
        cluster,
        (managed, limited) => readDeployedObjects(group, managed, { signal: limited, hasDied }),
        signal,
      );
      if ("value" in answer) return answer.value;
      warn(`cluster ${clusterText(cluster)} cannot be asked: ${answer.because}`);
      return unknownObjects(group, answer.because);
    }),
    readDeployedObjects(
      addons.filter(({ deploymentType }) => deploymentType === "Local"),
      hub,
      { signal, hasDied },
    ),
  ]);
  return found.flat().toSorted((a, b) => compareClusters(a.cluster, b.cluster));
}
