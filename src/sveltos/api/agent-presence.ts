import type { KubeObject } from "../../core/object/index.ts";

/** What the object of a cluster says of the agent in the cluster. `since` is a time in RFC 3339. */
export type AgentPresence = { readonly state: "running" } | { readonly state: "gone"; readonly since: string };

/** On a SveltosCluster or a Cluster of Cluster API: how the agent of the cluster is doing. Absent without an agent. */
export const agentAnnotation = "sluice.dev/agent";

const gonePrefix = "gone since ";

export function agentAnnotationText(presence: AgentPresence): string {
  return presence.state === "running" ? "running" : `${gonePrefix}${presence.since}`;
}

/** Undefined without an agent. Any text but that of an agent that is gone counts as one that runs. */
export function agentPresenceOf({ metadata }: KubeObject): AgentPresence | undefined {
  const text = metadata.annotations?.[agentAnnotation];
  if (text === undefined) return undefined;
  return text.startsWith(gonePrefix) ? { state: "gone", since: text.slice(gonePrefix.length) } : { state: "running" };
}
