import { isFields, stringAt, type Fields, type KubeObject, type Metadata } from "../../object/index.ts";
import { readYaml } from "../../yaml/index.ts";
import { goJson } from "../hash.ts";
import { eventReportSpec } from "../kind/event-trigger.ts";
import type { ObjectReference } from "../kind/reference.ts";
import type { ClusterId } from "../name.ts";
import type { Findings } from "../shape/index.ts";
import { clusterTypeOf } from "./profile.ts";
import { readWith, type Reading } from "./reading.ts";

/** How far a report has come on its way from the managed cluster. */
export type ReportPhase = "WaitingForDelivery" | "Delivering" | "Processed";

/** What one cluster reports of one EventSource. */
export type EventReport = {
  readonly metadata: Metadata;
  readonly eventSourceName: string;
  /** Undefined in the managed cluster, where a report does not say whose it is. */
  readonly cluster?: ClusterId;
  readonly matchingResources: readonly ObjectReference[];
  /** The matching objects themselves, when they are collected. */
  readonly resources: readonly Fields[];
  readonly phase?: ReportPhase;
};

export function readEventReport(object: KubeObject): Reading<EventReport> {
  const phase = phaseOf(stringAt(object, "status.phase"));
  return readWith(object, eventReportSpec, (spec, findings) => ({
    metadata: object.metadata,
    eventSourceName: spec.eventSourceName,
    ...(spec.clusterName !== "" && {
      cluster: { type: clusterTypeOf(spec.clusterType, findings), namespace: spec.clusterNamespace, name: spec.clusterName },
    }),
    matchingResources: spec.matchingResources ?? [],
    resources: readResources(spec.resources ?? "", findings),
    ...(phase !== undefined && { phase }),
  }));
}

/** `spec.resources` of a report: each object's JSON as Go writes it, a newline and `---`, all in base64. */
export function resourcesText(objects: readonly Fields[]): string {
  return Buffer.from(objects.map((object) => `${goJson(object)}\n---`).join("")).toString("base64");
}

function phaseOf(text: string | undefined): ReportPhase | undefined {
  return text === "WaitingForDelivery" || text === "Delivering" || text === "Processed" ? text : undefined;
}

/**
 * Older agents write no newline after the `---`, newer ones do. JSON on one line has no newline in it, so one followed by
 * `---` is a separator, whatever text the objects hold.
 */
function readResources(base64: string, findings: Findings): readonly Fields[] {
  const documents = Buffer.from(base64, "base64")
    .toString("utf8")
    .split(/\n---\n?/)
    .filter((text) => text.trim() !== "");
  return documents.flatMap((text, index) => readResource(text, `spec.resources[${index}]`, findings));
}

function readResource(text: string, at: string, findings: Findings): readonly Fields[] {
  try {
    // JSON.parse would round integers of more digits than a number holds.
    const value: unknown = /\d{16}/.test(text) ? readYaml(text, at) : JSON.parse(text);
    if (isFields(value)) return [value];
    findings.problems.push({ at, message: "expected an object" });
  } catch (error) {
    findings.problems.push({ at, message: `expected JSON: ${error instanceof Error ? error.message : String(error)}` });
  }
  return [];
}
