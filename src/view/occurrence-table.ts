import { titleOf } from "../core/object/index.ts";
import { clusterText, type FleetClusterRef } from "./fleet.ts";
import { ageText } from "./time-text.ts";
import { oneLine, table } from "./table.ts";

/** A failure or a notable condition of an EventSource, a trigger, a profile or a cluster. */
export type OccurrenceOutline = {
  /** When it was last reported, in RFC 3339; undefined when unknown. */
  readonly time?: string;
  /** `failing`: the status reports a failure now. `failed`: an Event reported one that the status no longer has. `noted`: no failure. */
  readonly state: "failing" | "failed" | "noted";
  readonly object: { readonly kind: string; readonly namespace: string; readonly name: string };
  /** The cluster that it belongs to; undefined when it belongs to no single one. */
  readonly cluster?: FleetClusterRef;
  readonly reason: string;
  readonly message: string;
  /** How often it was reported, when more than once. */
  readonly count?: number;
};

/** A table of occurrences in the given order, one line each. */
export function occurrenceTable(occurrences: readonly OccurrenceOutline[], now: number): readonly string[] {
  const rows = occurrences.map((each) => {
    const { time, state, cluster, reason, message, count = 1 } = each;
    const age = time === undefined ? "" : ageText(now - Date.parse(time));
    const times = count > 1 ? ` (${count} times)` : "";
    return [age, state, objectText(each), cluster === undefined ? "" : clusterText(cluster), reason, `${oneLine(message)}${times}`];
  });
  return table(["AGE", "STATE", "OBJECT", "CLUSTER", "REASON", "MESSAGE"], rows);
}

/** Leaves out the namespace where it is the cluster's. */
function objectText({ object, cluster }: OccurrenceOutline): string {
  const { namespace } = object;
  return namespace === "" || namespace === cluster?.namespace ? titleOf(object) : `${titleOf(object)} in ${namespace}`;
}
