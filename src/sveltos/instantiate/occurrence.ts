import type { ClusterId, EventTrigger, ManagedCluster } from "../api/index.ts";
import type { ObjectRef } from "../../core/object/index.ts";
import type { Match } from "../evaluate/index.ts";
import type { TemplateInput } from "./template-data.ts";
import type { Origin } from "./generated-labels.ts";

/** What one profile is generated for: one matching object (oneForEvent), or all of them. */
export type Occurrence = {
  readonly origin: Origin;
  /** The matching object; only with oneForEvent. */
  readonly match?: ObjectRef;
  /** The matches that the data holds, beside the cluster. */
  readonly matches: readonly Match[];
  /** What its templates see. */
  readonly input: TemplateInput;
};

/** The occurrences of an event in a cluster, ordered by namespace and name. */
export function occurrencesOf(
  trigger: EventTrigger,
  { type, namespace, name, object }: ManagedCluster,
  eventSource: string,
  found: readonly Match[],
): readonly Occurrence[] {
  const cluster: ClusterId = { type, namespace, name };
  const sorted = found.toSorted((a, b) => compare(a.ref, b.ref));
  // While a match moves from one part of a report to another, both have it.
  const matches = sorted.filter(({ ref }, index) => index === 0 || compare(sorted[index - 1]!.ref, ref) !== 0);
  const origin = { trigger: trigger.metadata.name, eventSource, cluster };
  if (trigger.oneForEvent)
    return matches.map((match, index) => ({
      origin: { ...origin, ...resourceOf(match.ref, matches[index - 1]?.ref) },
      match: match.ref,
      matches: [match],
      input: { of: "match", match, cluster: object },
    }));
  return matches.length === 0 ? [] : [{ origin, matches, input: { of: "matches", matches, cluster: object } }];
}

function resourceOf(ref: ObjectRef, before: ObjectRef | undefined): Pick<Origin, "resource" | "kind"> {
  const { namespace, name } = ref;
  const isAmbiguous = before !== undefined && before.namespace === namespace && before.name === name;
  return {
    resource: { name, ...(namespace !== "" && { namespace }) },
    ...(isAmbiguous && { kind: ref.group === "" ? ref.kind : `${ref.kind}.${ref.group}` }),
  };
}

function compare(a: ObjectRef, b: ObjectRef): number {
  if (a.namespace !== b.namespace) return a.namespace < b.namespace ? -1 : 1;
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  if (a.kind !== b.kind) return a.kind < b.kind ? -1 : 1;
  return a.group === b.group ? 0 : a.group < b.group ? -1 : 1;
}
