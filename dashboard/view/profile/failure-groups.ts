import type { FleetReasonItem, ProfileClusterItem } from "../../../src/dashboard/api/index.ts";

/** Clusters that are as they are for the same reason. */
export type FailureGroup = {
  readonly reason: string;
  readonly state: ProfileClusterItem["state"];
  readonly clusters: readonly ProfileClusterItem[];
};

/** Groups what is not ready by equal reasons: failures first, then the most common. */
export function failureGroups(clusters: readonly ProfileClusterItem[], reasons: readonly FleetReasonItem[]): readonly FailureGroup[] {
  const texts = new Map(reasons.map(({ number, text }) => [number, text]));
  const open = clusters.filter(({ state }) => state !== "ready");
  const groups = Map.groupBy(open, ({ state, reason }) => `${state} ${reason ?? ""}`);
  return [...groups.values()]
    .map((same): FailureGroup => {
      const { state, reason } = same[0]!;
      return { state, reason: textFor(reason === undefined ? "" : (texts.get(reason) ?? ""), same), clusters: same.toSorted(byName) };
    })
    .toSorted((a, b) => Number(b.state === "failed") - Number(a.state === "failed") || b.clusters.length - a.clusters.length);
}

/** A reason stands for many clusters; of one it names that one. */
function textFor(text: string, clusters: readonly ProfileClusterItem[]): string {
  const [first] = clusters;
  const name = clusters.length === 1 && first !== undefined ? `${first.namespace}/${first.name}` : "the cluster";
  return text.replaceAll("{cluster}", () => name);
}

function byName(a: ProfileClusterItem, b: ProfileClusterItem): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
