import type { ClusterId } from "../api/index.ts";
import { fieldsAt, groupVersionOf, keyOf, listAt, refOf, stringAt, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import type { Match } from "../evaluate/index.ts";
import { findParts, hasLeftOut } from "./report-part.ts";
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

/** Objects are immutable, so each is read once. */
const readings = new WeakMap<KubeObject, EventReport>();

/** The content of a report with all its parts, or the name of the part that is missing or that somebody has emptied. */
export type WholeReport =
  | (Pick<EventReport, "eventSource" | "matches"> & { readonly parts: readonly KubeObject[] })
  | { readonly missing: string };

/** Reads a report with the parts that it names. Throws a Fault if the resources of one cannot be decoded. */
export function readWholeReport(report: KubeObject, find: (name: string) => KubeObject | undefined): WholeReport {
  const { parts, missing } = findParts(report, find);
  const emptied = parts.find(([, object]) => isEmptied(object));
  if (missing !== undefined || emptied !== undefined) return { missing: missing ?? emptied![1].metadata.name };
  const objects = parts.map(([, object]) => object);
  const [first, ...others] = objects.map(readOnce);
  const { eventSource, matches } = first!;
  return { eventSource, matches: others.length === 0 ? matches : [...matches, ...others.flatMap((part) => part.matches)], parts: objects };
}

/** An evaluation without matches leaves the list out. An empty list was written by somebody else, and is repaired soon. */
function isEmptied(report: KubeObject): boolean {
  const { matchingResources } = fieldsAt(report, "spec");
  return Array.isArray(matchingResources) && matchingResources.length === 0;
}

function readOnce(object: KubeObject): EventReport {
  const reading = readings.get(object) ?? readEventReport(object);
  readings.set(object, reading);
  return reading;
}

/** Reads an EventReport of Sluice or of Sveltos. Throws a Fault if `spec.resources` cannot be decoded. */
export function readEventReport(object: KubeObject): EventReport {
  const cluster = clusterOf(object);
  const phase = phaseOf(object);
  const collected = decodeResources(stringAt(object, "spec.resources", ""));
  return {
    eventSource: stringAt(object, "spec.eventSourceName", object.metadata.labels?.["projectsveltos.io/eventsource-name"] ?? ""),
    ...(cluster !== undefined && { cluster }),
    matches: withObjects(refsOf(object), collected, hasLeftOut(object)),
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

/** The matching objects that an EventReport names, without their content. */
export function refsOf(object: KubeObject): readonly ObjectRef[] {
  return listAt(object, "spec.matchingResources").map((item) => ({
    ...groupVersionOf(stringAt(item, "apiVersion", "")),
    kind: stringAt(item, "kind", ""),
    namespace: stringAt(item, "namespace", ""),
    name: stringAt(item, "name", ""),
  }));
}

/** Sveltos lists an object twice if two selectors match it; here it is one match. */
function withObjects(refs: readonly ObjectRef[], objects: readonly KubeObject[], isLeftOut: boolean): readonly Match[] {
  const found = new Map(objects.map((object) => [keyOf(refOf(object)), object]));
  const matches = new Map<string, Match>();
  for (const ref of refs) {
    const key = keyOf(ref);
    const object = found.get(key);
    matches.set(key, { ref, ...(object !== undefined ? { object } : isLeftOut && { isLeftOut }), message: "" });
  }
  return [...matches.values()];
}
