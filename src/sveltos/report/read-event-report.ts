import type { ClusterId } from "../api/index.ts";
import { groupVersionOf, keyOf, listAt, refOf, stringAt, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import type { Match } from "../evaluate/index.ts";
import { decodeResources } from "./resources-codec.ts";
import type { ReportPhase } from "./event-report.ts";

/** What a report says. */
export type EventReport = {
  readonly eventSource: string;
  /** Missing in the copy that lives in the managed cluster. */
  readonly cluster?: ClusterId;
  /** In the order of the report. With `object` where the report collects. */
  readonly matches: readonly Match[];
  readonly phase?: ReportPhase;
};

/** Reads an EventReport of ours or of Sveltos. Throws a Fault where its resources cannot be read. */
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

/** Sveltos may name an object twice that two selectors found; here it is one. */
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
