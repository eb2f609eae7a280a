import type { ClusterId } from "../../sveltos/api/index.ts";
import { flowStates, type FlowState } from "../api/index.ts";
import type { GeneratedProfile, GeneratedSummary } from "./generated-outline.ts";
import type { ReportOutline } from "./report-outline.ts";
import type { SourceOutline } from "./source-outline.ts";
import type { TriggerOutline } from "./trigger-outline.ts";
import type { Trouble } from "./trouble.ts";

/** One trigger in one cluster, with all that belongs to it. */
export type EventFlow = {
  readonly trigger: TriggerOutline;
  readonly cluster: ClusterId;
  /** The key of the cluster. */
  readonly clusterKey: string;
  readonly clusterTrouble?: Trouble;
  readonly sourceName: string;
  readonly source?: SourceOutline;
  /** All parts of its report. */
  readonly reports: readonly ReportOutline[];
  readonly profiles: readonly GeneratedProfile[];
  readonly summaries: readonly GeneratedSummary[];
  /** Tells of a kind whether it may not be read, so that what is not there may be there. */
  readonly isUnreadable: (kind: string) => boolean;
};

/** How a flow is doing, and the first thing on its way that is not as it should be. */
export type FlowStatus = { readonly state: FlowState; readonly because?: string };

/** Follows a flow from the cluster to what is deployed. */
export function flowStatusOf(flow: EventFlow): FlowStatus {
  const { trigger, clusterTrouble, profiles } = flow;
  const trouble = failed(trigger.trouble) ?? clusterTrouble ?? sourceTrouble(flow) ?? reportTrouble(flow) ?? triggerTrouble(flow);
  if (trouble !== undefined) return { state: trouble.state, because: trouble.message };
  if (matchesOf(flow) === 0 && profiles.length === 0) return { state: "idle" };
  return profileTrouble(flow) ?? deployedStatus(flow);
}

function failed(trouble: Trouble | undefined): Trouble | undefined {
  return trouble?.state === "failed" ? trouble : undefined;
}

/** How many objects match. */
export function matchesOf({ reports }: Pick<EventFlow, "reports">): number {
  return reports.reduce((sum, { count }) => sum + count, 0);
}

/** When what matches last changed. */
export function changedAtOf({ reports }: Pick<EventFlow, "reports">): number | undefined {
  const times = reports.flatMap(({ changedAtMs }) => changedAtMs ?? []);
  return times.length === 0 ? undefined : Math.max(...times);
}

export function sourceTrouble({ source, sourceName, clusterKey, isUnreadable }: EventFlow): Trouble | undefined {
  if (source !== undefined) return source.trouble ?? source.troubles.get(clusterKey);
  if (isUnreadable("EventSource") || sourceName.includes("{{")) return undefined;
  return { state: "failed", message: `EventSource ${sourceName} does not exist` };
}

export function reportTrouble({ reports, isUnreadable }: EventFlow): Trouble | undefined {
  const failure = reports.find((report) => report.failure !== undefined)?.failure;
  if (failure !== undefined) return { state: "failed", message: failure };
  if (reports.length > 0 || isUnreadable("EventReport")) return undefined;
  return { state: "waiting", message: "the cluster has not been evaluated yet" };
}

/** What its EventSource and what it has generated say is not said again. */
export function triggerTrouble({ trigger, clusterKey }: Pick<EventFlow, "trigger" | "clusterKey">): Trouble | undefined {
  const { status = "", message = "" } = trigger.inClusters.get(clusterKey) ?? {};
  const own = message.split("\n").filter((line) => line !== "" && !/^(?:ClusterSummary|EventSource) /.test(line));
  if (own.length === 0) return trigger.trouble;
  return { state: status.startsWith("Failed") ? "failed" : "waiting", message: own.join("\n") };
}

function profileTrouble({ profiles, isUnreadable }: EventFlow): FlowStatus | undefined {
  const trouble = profiles.find((profile) => profile.trouble !== undefined)?.trouble;
  if (trouble !== undefined) return { state: trouble.state, because: trouble.message };
  if (profiles.length > 0 || isUnreadable("ClusterProfile")) return undefined;
  return { state: "progressing", because: "the trigger has made no profile yet" };
}

function deployedStatus({ profiles, summaries, isUnreadable }: EventFlow): FlowStatus {
  const worst = worstOf(summaries.map(({ state, reason }) => ({ state, ...(reason === undefined ? {} : { because: reason }) })));
  if (worst?.state === "failed") return worst;
  const deployed = new Set(summaries.map(({ profile }) => profile));
  if (profiles.some(({ name }) => !deployed.has(name)) && !isUnreadable("ClusterSummary"))
    return { state: "waiting", because: withoutSummary };
  return worst ?? { state: "ready" };
}

/** Said of a profile that is not on its way to any cluster. */
export const withoutSummary = "there is no ClusterSummary yet: the cluster is not ready, or spec.maxUpdate holds it back";

/** The most urgent of statuses; the first of equals. */
export function worstOf(statuses: readonly FlowStatus[]): FlowStatus | undefined {
  let worst: FlowStatus | undefined;
  for (const status of statuses) if (worst === undefined || ranks[status.state] < ranks[worst.state]) worst = status;
  return worst;
}

const ranks = Object.fromEntries(flowStates.map((state, rank) => [state, rank])) as Readonly<Record<FlowState, number>>;
