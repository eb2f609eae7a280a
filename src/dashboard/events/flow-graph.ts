import { eventReportName, gvkOf } from "../../sveltos/api/index.ts";
import type { EventEdgeItem, EventMatch, EventNodeItem, ObjectName } from "../api/index.ts";
import { changedAtOf, matchesOf, reportTrouble, sourceTrouble, triggerTrouble, withoutSummary, type EventFlow } from "./event-flow.ts";
import type { GeneratedProfile, GeneratedSummary } from "./generated-outline.ts";
import { matchKeyOf, objectNameOf } from "./report-outline.ts";
import { scriptFailuresOf } from "./script-failures.ts";
import { eventClusterOf, objectNodes } from "./object-nodes.ts";
import type { Trouble } from "./trouble.ts";

type FlowGraph = { readonly nodes: readonly EventNodeItem[]; readonly edges: readonly EventEdgeItem[] };
type NodeStatus = Pick<EventNodeItem, "state" | "word" | "because">;

/** More profiles than these are counted. */
const maxProfiles = 4;

/** When matches were seen to appear, by cluster, source and object. */
type SeenMatches = (cluster: string, source: string, match: string) => number | undefined;

/** Draws a flow, from the EventSource to what is deployed. */
export function flowGraphOf(flow: EventFlow, seen: SeenMatches): FlowGraph {
  const { trigger, sourceName, clusterKey, profiles, summaries } = flow;
  const ids = {
    source: `source:${sourceName}`,
    report: `report:${clusterKey}:${sourceName}`,
    trigger: `trigger:${trigger.key}:${clusterKey}`,
  };
  const way = [sourceNode(flow, ids.source), reportNode(flow, ids.report, seen), triggerNode(flow, ids.trigger)];
  const drawn = profiles.slice(0, maxProfiles).map((profile) => profileGraph(profile, summaries, ids.trigger));
  const rest = restNode(flow, ids.trigger);
  return {
    nodes: [...way, ...drawn.flatMap(({ nodes }) => nodes), ...rest],
    edges: [
      edge(ids.source, ids.report),
      edge(ids.report, ids.trigger),
      ...drawn.flatMap(({ edges }) => edges),
      ...rest.map(({ id }) => edge(ids.trigger, id)),
    ],
  };
}

function edge(from: string, to: string): EventEdgeItem {
  return { type: "edge", from, to };
}

function sveltosName(kind: Parameters<typeof gvkOf>[0], name: string, namespace = ""): ObjectName {
  return { ...gvkOf(kind), namespace, name };
}

function statusFor(trouble: Trouble | undefined, otherwise: NodeStatus): NodeStatus {
  return trouble === undefined ? otherwise : { state: trouble.state, because: trouble.message };
}

function sourceNode(flow: EventFlow, id: string): EventNodeItem {
  const { source, sourceName, clusterKey, isUnreadable } = flow;
  const info = source?.inClusters.get(clusterKey)?.info;
  const failures = source === undefined ? [] : scriptFailuresOf(source.object, info);
  const unknown: NodeStatus = { state: "waiting", word: isUnreadable("EventSource") ? "may not be read" : "not known" };
  const node = { type: "node", id, step: "EventSource", title: sourceName, ref: sveltosName("EventSource", sourceName) } as const;
  return {
    ...node,
    subtitle: source?.kinds.join(", ") ?? "",
    ...statusFor(sourceTrouble(flow), source === undefined ? unknown : { state: "ready", word: "evaluated" }),
    ...(failures.length === 0 ? {} : { failures }),
  };
}

function reportNode(flow: EventFlow, id: string, seen: SeenMatches): EventNodeItem {
  const { reports, cluster, clusterKey, sourceName, clusterTrouble } = flow;
  const count = matchesOf(flow);
  const sinceMs = changedAtOf(flow);
  const status: NodeStatus =
    count > 0 ? { state: "ready", word: `${count} match${count === 1 ? "es" : ""}` } : { state: "waiting", word: "no match" };
  return {
    type: "node",
    id,
    step: "EventReport",
    title: cluster.name,
    subtitle: cluster.namespace,
    ...statusFor(clusterTrouble ?? reportTrouble(flow), reports.length === 0 ? { state: "waiting", word: "not known" } : status),
    ref: sveltosName("EventReport", eventReportName(sourceName, cluster), cluster.namespace),
    cluster: eventClusterOf(clusterKey),
    source: sourceName,
    ...(sinceMs === undefined ? {} : { sinceMs }),
    count,
    matches: matchesIn(flow, seen),
  };
}

/** What matches, the latest first. With a profile for each object it is known since when. */
function matchesIn({ reports, profiles, clusterKey, sourceName }: EventFlow, seen: SeenMatches): readonly EventMatch[] {
  const made = new Map(
    profiles.flatMap(({ resource, createdMs }) =>
      resource === undefined ? [] : [[`${resource.namespace ?? ""}/${resource.name}`, createdMs]],
    ),
  );
  return reports
    .flatMap(({ refs }) => refs)
    .map((ref): EventMatch => {
      const sinceMs = seen(clusterKey, sourceName, matchKeyOf(ref)) ?? made.get(`${ref.namespace}/${ref.name}`);
      return { ref: objectNameOf(ref), ...(sinceMs === undefined ? {} : { sinceMs }) };
    })
    .toSorted((a, b) => (b.sinceMs ?? 0) - (a.sinceMs ?? 0));
}

function triggerNode(flow: EventFlow, id: string): EventNodeItem {
  const { trigger, clusterKey, profiles } = flow;
  const { kind, name } = trigger;
  const status = trigger.inClusters.get(clusterKey)?.status ?? "";
  const idle = matchesOf(flow) === 0 && profiles.length === 0;
  const otherwise: NodeStatus = status.startsWith("Failed")
    ? { state: "waiting", word: "held up" }
    : idle
      ? { state: "waiting", word: "nothing to deploy" }
      : status === "Provisioning" || status === "Removing"
        ? { state: "progressing", word: status.toLowerCase() }
        : { state: "ready", word: status === "" ? "deploys" : status.toLowerCase() };
  const cluster = eventClusterOf(clusterKey);
  return {
    type: "node",
    id,
    step: "EventTrigger",
    title: name,
    subtitle: cluster.name,
    ...statusFor(triggerTrouble(flow), otherwise),
    ref: sveltosName(kind, name),
  };
}

function profileGraph(profile: GeneratedProfile, summaries: readonly GeneratedSummary[], from: string): FlowGraph {
  const id = `profile:${profile.namespace}/${profile.name}`;
  const own = summaries.filter((summary) => summary.profile === profile.name);
  const graphs = own.map((summary) => objectNodes(summary));
  const missing: Trouble | undefined = own.length === 0 ? { state: "waiting", message: withoutSummary } : undefined;
  const { resource, createdMs } = profile;
  const node: EventNodeItem = {
    type: "node",
    id,
    step: "Profile",
    title: profile.name,
    subtitle: resource === undefined ? "for all" : `for ${resource.name}`,
    ...statusFor(profile.trouble ?? missing, { state: "ready", word: "made" }),
    ref: sveltosName(profile.kind === "Profile" ? "Profile" : "ClusterProfile", profile.name, profile.namespace),
    ...(createdMs === undefined ? {} : { sinceMs: createdMs }),
  };
  const summaryNodes = own.map((summary) => summaryNode(summary));
  return {
    nodes: [node, ...summaryNodes, ...graphs.flat()],
    edges: [
      edge(from, id),
      ...summaryNodes.map((each) => edge(id, each.id)),
      ...graphs.flatMap((objects, at) => objects.map((object) => edge(summaryNodes[at]!.id, object.id))),
    ],
  };
}

function summaryNode({ namespace, name, target, state, reason, appliedMs }: GeneratedSummary): EventNodeItem {
  const cluster = eventClusterOf(target);
  return {
    type: "node",
    id: `summary:${namespace}/${name}`,
    step: "ClusterSummary",
    title: cluster.name,
    subtitle: name,
    state,
    ...(state === "ready" ? { word: "provisioned" } : {}),
    ...(reason === undefined ? {} : { because: reason }),
    ref: sveltosName("ClusterSummary", name, namespace),
    ...(appliedMs === undefined ? {} : { sinceMs: appliedMs }),
  };
}

/** What is to come, or is too much to be drawn. */
function restNode({ profiles, isUnreadable, ...flow }: EventFlow, from: string): readonly EventNodeItem[] {
  const node = { type: "node", id: `${from}:more`, step: "Profile" } as const;
  const more = profiles.length - maxProfiles;
  if (more > 0) return [{ ...node, title: `${more} more profiles`, subtitle: "", state: "waiting", word: "not drawn" }];
  if (profiles.length > 0 || matchesOf(flow) === 0) return [];
  const word = isUnreadable("ClusterProfile") ? "may not be read" : "not made yet";
  return [{ ...node, title: "no profile", subtitle: "", state: "waiting", word }];
}
