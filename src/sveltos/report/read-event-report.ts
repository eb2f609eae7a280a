import type { ClusterId } from "../api/index.ts";
import { groupVersionOf, keyOf, listAt, refOf, stringAt, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import type { Match } from "../evaluate/index.ts";
import { decodeResources } from "./resources-codec.ts";
import type { ReportPhase } from "./event-report.ts";

/** The content of an EventReport. */
export type EventReport = {
  readonly eventSource: string;
  /** Undefined for a report that stands in the managed cluster. */
  readonly cluster?: ClusterId;
  /** In the order of the report, with `object` if the report carries objects. */
  readonly matches: readonly Match[];
  readonly phase?: ReportPhase;
};

/** Reads an EventReport of Sluice or of Sveltos. Throws a Fault if `spec.resources` cannot be decoded. */
export function readEventReport(object: KubeObject): EventReport {
  const cluster = clusterOf(object);
  const phase = phaseOf(object);
  const collected = decodeResources(stringAt(object, "spec.resources", ""));
  return {
    eventSource: stringAt(object, "spec.eventSourceName", object.metadata.labels?.["projectsveltos.io/eventsource-name"] ?? ""),
    ...(cluster !== undefined && { cluster }),
    matches: withObjects(refsOf(object), collected),
    ...(phase !== undefined && { phase }),
  };
}

function clusterOf(object: KubeObject): ClusterId | undefined {
  const type = stringAt(object, "spec.clusterType");
  if (type !== "Sveltos" && type !== "Capi") return undefined;
  return { type, namespace: stringAt(object, "spec.clusterNamespace", ""), name: stringAt(object, "spec.clusterName", "") };
}

function phaseOf(object: KubeObject): ReportPhase | undefined {
  const phase = stringAt(object, "status.phase");
  return phase === "WaitingForDelivery" || phase === "Delivering" || phase === "Processed" ? phase : undefined;
}

function refsOf(object: KubeObject): readonly ObjectRef[] {
  return listAt(object, "spec.matchingResources").map((item) => ({
    ...groupVersionOf(stringAt(item, "apiVersion", "")),
    kind: stringAt(item, "kind", ""),
    namespace: stringAt(item, "namespace", ""),
    name: stringAt(item, "name", ""),
  }));
}

/** Sveltos lists an object twice if two selectors match it; here it is one match. */
function withObjects(refs: readonly ObjectRef[], objects: readonly KubeObject[]): readonly Match[] {
  const found = new Map(objects.map((object) => [keyOf(refOf(object)), object]));
  const matches = new Map<string, Match>();
  for (const ref of refs) {
    const key = keyOf(ref);
    const object = found.get(key);
    matches.set(key, { ref, ...(object !== undefined && { object }), message: "" });
  }
  return [...matches.values()];
}
