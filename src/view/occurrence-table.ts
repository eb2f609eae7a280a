import { titleOf } from "../core/object/index.ts";
import { clusterText, type FleetClusterRef } from "./fleet.ts";
import { ageText } from "./time-text.ts";
import { oneLine, table } from "./table.ts";

/** Something worth knowing of an object of the event road: a failure, or what it is about. */
export type OccurrenceOutline = {
  /** When it was last said, in RFC 3339; undefined when nobody noted it. */
  readonly time?: string;
  /** `failing`: the object's status says so now. `failed`: it was told of, and the status no longer says so. `noted`: no failure. */
  readonly state: "failing" | "failed" | "noted";
  readonly object: { readonly kind: string; readonly namespace: string; readonly name: string };
  /** The cluster in which it is so; undefined for what concerns no single one. */
  readonly cluster?: FleetClusterRef;
  readonly reason: string;
  readonly message: string;
  /** How often it was told, when more than once. */
  readonly count?: number;
};

/** Occurrences in the order given, each on one line. */
export function occurrenceTable(occurrences: readonly OccurrenceOutline[], now: number): readonly string[] {
  const rows = occurrences.map((each) => {
    const { time, state, cluster, reason, message, count = 1 } = each;
    const age = time === undefined ? "" : ageText(now - Date.parse(time));
    const told = count > 1 ? ` (${count} times)` : "";
    return [age, state, objectText(each), cluster === undefined ? "" : clusterText(cluster), reason, `${oneLine(message)}${told}`];
  });
  return table(["AGE", "STATE", "OBJECT", "CLUSTER", "REASON", "MESSAGE"], rows);
}

/** The namespace is left out where the cluster's says it already. */
function objectText({ object, cluster }: OccurrenceOutline): string {
  const { namespace } = object;
  return namespace === "" || namespace === cluster?.namespace ? titleOf(object) : `${titleOf(object)} in ${namespace}`;
}
