import { agentAnnotation, agentAnnotationText, agentPresenceOf, type AgentPresence } from "../../api/index.ts";
import type { FleetCluster } from "../../fleet/index.ts";
import { isForbidden, isNotFound } from "../../../kube/index.ts";
import { refOf } from "../../../core/object/index.ts";
import type { ControllerContext } from "../context/index.ts";
import { agentLease, type AgentLeaseWatcher } from "./agent-lease.ts";

/** Writes to the object of a cluster how its agent is doing, where that has changed, and an Event about one that is gone. */
export async function writeAgentPresence(
  { hub, telemetry }: ControllerContext,
  { managed: { object } }: FleetCluster,
  agent: AgentLeaseWatcher,
  signal: AbortSignal,
): Promise<void> {
  if (agent.state === "unknown") return;
  const before = agentPresenceOf(object);
  const presence = presenceOf(agent);
  // The time of one that is gone is that of the first replica which noticed it.
  if (before?.state === presence?.state) return;
  const annotations = { [agentAnnotation]: presence === undefined ? null : agentAnnotationText(presence) };
  try {
    await hub.patch(refOf(object), { type: "merge", patch: { metadata: { annotations } } }, { signal });
  } catch (error) {
    // The cluster has just been deregistered, or an older role lets nobody change Clusters of Cluster API.
    if (!isNotFound(error) && !isForbidden(error)) throw error;
  }
  if (presence?.state === "gone")
    telemetry.recordEvent(object, { type: "Warning", reason: "AgentGone", message: goneMessage(presence.since) });
}

function presenceOf(agent: AgentLeaseWatcher): AgentPresence | undefined {
  if (agent.state === "present") return { state: "running" };
  return agent.state === "gone" ? { state: "gone", since: new Date(agent.lastSeenMs).toISOString() } : undefined;
}

function goneMessage(since: string): string {
  const lease = `${agentLease.namespace}/${agentLease.name}`;
  return `the agent of the cluster has not renewed its Lease ${lease} since ${since}: the controller evaluates its events meanwhile`;
}
