import type { ChainLink, ChainOutline, FleetClusterRef } from "../../../view/index.ts";
import { compareClusters } from "../cluster-ref.ts";
import { generalText, podSuffix } from "../general-text.ts";

/** The chain of links that leads to one cluster, or to none. */
export type FleetChain = {
  /** The clusters that it passes, the last one first: where something is deployed, and where the event is. */
  readonly clusters: readonly FleetClusterRef[];
  readonly links: readonly ChainLink[];
  /** The object that the event is about; only where each has a profile of its own. */
  readonly event?: { readonly namespace?: string; readonly name: string };
};

function brokenIndex({ links }: FleetChain): number | undefined {
  const at = links.findIndex(({ state }) => state !== "ok");
  return at === -1 ? undefined : at;
}

/** Chains that are broken in the same place for the same reason become one. Those that are broken come first, then the most common. */
export function groupChains(chains: readonly FleetChain[]): readonly ChainOutline[] {
  const groups = [...Map.groupBy(chains, signatureOf).values()];
  return groups
    .map((same): ChainOutline => {
      const sorted = same.toSorted((a, b) => compareClusters(a.clusters[0] ?? nowhere, b.clusters[0] ?? nowhere));
      const at = brokenIndex(sorted[0]!);
      const clusters = [
        ...new Map(
          sorted.flatMap(({ clusters: [last] }) => (last === undefined ? [] : [[`${last.namespace}/${last.name}`, last]])),
        ).values(),
      ];
      const events = new Set(sorted.flatMap(({ event }) => (event === undefined ? [] : [`${event.namespace ?? ""}/${event.name}`]))).size;
      return {
        clusters,
        ...(events > 1 ? { events } : {}),
        ...(at === undefined ? {} : { brokenAt: at }),
        links: sorted[0]!.links,
      };
    })
    .toSorted((a, b) => rankOf(a) - rankOf(b) || b.clusters.length - a.clusters.length);
}

const nowhere: FleetClusterRef = { namespace: "", name: "" };
const ranks = { broken: 0, unknown: 1, waiting: 2, ok: 3 } as const;

function rankOf({ brokenAt, links }: ChainOutline): number {
  return brokenAt === undefined ? ranks.ok : ranks[links[brokenAt]!.state];
}

/** The states of all links, and the reason at the first that is not ok, without the names that differ from cluster to cluster and event to event. */
function signatureOf(chain: FleetChain): string {
  const at = brokenIndex(chain);
  const states = chain.links.map(({ object, state }) => `${object.kind} ${state}`);
  if (at === undefined) return JSON.stringify(states);
  const { object, message } = chain.links[at]!;
  const text = chain.clusters.reduce((general, cluster) => generalText(general, cluster), `${object.namespace}/${object.name} ${message}`);
  const general = chain.event === undefined ? text : text.replaceAll(chain.event.name, () => "{event}");
  return JSON.stringify([at, object.kind, general.replaceAll(podSuffix, "{pod}")]);
}
