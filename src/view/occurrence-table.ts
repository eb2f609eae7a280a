import { ageText, titleOf } from "../core/object/index.ts";
import { clusterText, type FleetClusterRef } from "./fleet.ts";
import { oneLine, table } from "./table.ts";
import { plainLine } from "./text-width.ts";

/** A failure or a notable condition of an EventSource, a trigger, a profile or a cluster: one cause, in one or many clusters. */
export type OccurrenceOutline = {
  /** When it was last reported, in RFC 3339; undefined when unknown. */
  readonly time?: string;
  /**
   * `failing`: the status reports a failure now. `failed`: an Event reported one that the status no longer has. `noted`: no
   * failure. `healed`: while it is watched, what was listed before is over.
   */
  readonly state: "failing" | "failed" | "noted" | "healed";
  readonly object: { readonly kind: string; readonly namespace: string; readonly name: string };
  /** The cluster that it belongs to; undefined when it belongs to none or to several. */
  readonly cluster?: FleetClusterRef;
  /** All clusters that it belongs to; none when it belongs to no single one. */
  readonly clusters: readonly FleetClusterRef[];
  readonly reason: string;
  readonly message: string;
  /** How often it was reported, when more than once. */
  readonly count?: number;
};

const heads = ["AGE", "STATE", "OBJECT", "CLUSTERS", "REASON", "MESSAGE"];

/** A table of occurrences in the given order, one line each. */
export function occurrenceTable(occurrences: readonly OccurrenceOutline[], now: number): readonly string[] {
  const rows = occurrences.map((each) => {
    const { time, state, clusters, reason, message, count = 1 } = each;
    const age = time === undefined ? "" : ageText(now - Date.parse(time));
    const times = count > 1 ? ` (${count} times)` : "";
    return [age, state, objectText(each), clustersText(clusters), reason, `${plainLine(oneLine(message))}${times}`];
  });
  return table(heads, rows);
}

/** Leaves out the namespace where it is the cluster's. */
function objectText({ object, cluster }: OccurrenceOutline): string {
  const { namespace } = object;
  return namespace === "" || namespace === cluster?.namespace ? titleOf(object) : `${titleOf(object)} in ${namespace}`;
}

/** How many clusters a cell names. */
const namedClusters = 2;

/** `fleet/east`, or the number of them and the first: `12: fleet/east, fleet/north, …`. */
function clustersText(clusters: readonly FleetClusterRef[]): string {
  if (clusters.length <= 1) return clusters.map(clusterText).join("");
  const named = clusters.slice(0, namedClusters).map(clusterText).join(", ");
  return `${clusters.length}: ${named}${clusters.length > namedClusters ? ", …" : ""}`;
}
