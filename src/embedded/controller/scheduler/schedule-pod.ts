import type { KubeObject } from "../../../core/object/index.ts";
import type { Pod } from "../../behaviour/index.ts";
import { filterPlugins, type FilterStatus } from "./filter-plugins.ts";
import { nodeAffinityScore } from "../node/index.ts";
import type { NodeState } from "./scheduler-cache.ts";
import { hasInterPodConstraints, podAffinityFilter, topologySpreadFilter, type SchedulingSnapshot } from "./inter-pod-affinity.ts";

/** The chosen node, or kube-scheduler's message why there is none. */
export type ScheduleResult = { readonly node: string } | { readonly message: string };

/** Returns why a pod's volumes exclude a node, if they do. */
type VolumeFilter = (node: KubeObject) => string | undefined;

/** Schedules a pod: filters the nodes and takes the one with the best score. */
export function schedulePod(pod: Pod, snapshot: SchedulingSnapshot, volumes: VolumeFilter): ScheduleResult {
  const { nodes } = snapshot;
  const hasAntiAffinity = nodes.some(({ podsWithAntiAffinity }) => podsWithAntiAffinity.size > 0);
  const spread = hasInterPodConstraints(pod) ? topologySpreadFilter(pod, snapshot) : undefined;
  const affinity = hasInterPodConstraints(pod) || hasAntiAffinity ? podAffinityFilter(pod, snapshot) : undefined;
  const statuses: FilterStatus[] = [];
  let best: { state: NodeState; preference: number } | undefined;
  for (const state of nodes) {
    const status = filterNode(pod, state, { volumes, spread, affinity });
    if (status !== undefined) {
      statuses.push(status);
      continue;
    }
    const found = { state, preference: nodeAffinityScore(pod.spec, state.node) };
    if (best === undefined || isBetter(found, best)) best = found;
  }
  return best === undefined ? { message: fitErrorMessage(nodes.length, statuses) } : { node: best.state.node.metadata.name };
}

/** Nodes are sorted by name, so the first of equals wins. */
function isBetter(a: { state: NodeState; preference: number }, b: { state: NodeState; preference: number }): boolean {
  return a.preference === b.preference ? a.state.pods.size < b.state.pods.size : a.preference > b.preference;
}

type PodFilters = {
  readonly volumes: VolumeFilter;
  readonly spread: ((node: KubeObject) => string | undefined) | undefined;
  readonly affinity: ((node: KubeObject) => string | undefined) | undefined;
};

function filterNode(pod: Pod, state: NodeState, { volumes, spread, affinity }: PodFilters): FilterStatus | undefined {
  for (const filter of filterPlugins) {
    const status = filter(pod, state);
    if (status !== undefined) return status;
  }
  const volume = volumes(state.node);
  if (volume !== undefined) return { reasons: [volume], unresolvable: true };
  const skewed = spread?.(state.node);
  if (skewed !== undefined) return { reasons: [skewed], unresolvable: skewed.endsWith("(missing required label)") };
  const kept = affinity?.(state.node);
  return kept === undefined ? undefined : { reasons: [kept], unresolvable: kept.endsWith("pod affinity rules") };
}

/** Models pkg/scheduler/framework/types.go FitError and framework/preemption/preemption.go */
function fitErrorMessage(nodes: number, statuses: readonly FilterStatus[]): string {
  if (nodes === 0) return "no nodes available to schedule pods";
  const why = statuses.flatMap(({ reasons }) => reasons);
  const preemption = statuses.map((objection) => (objection.unresolvable ? notHelpful : noVictims));
  return `0/${nodes} nodes are available: ${histogram(why)}. ${preemptionMessage(nodes, preemption)}`;
}

/** The message of a failure that concerns the pod and not single nodes. */
export function preFilterMessage(nodes: number, why: string): string {
  return `0/${nodes} nodes are available: ${why}. ${preemptionMessage(
    nodes,
    Array.from({ length: nodes }, () => notHelpful),
  )}`;
}

const notHelpful = "Preemption is not helpful for scheduling";
const noVictims = "No preemption victims found for incoming pod";

function preemptionMessage(nodes: number, preemption: readonly string[]): string {
  return `no new claims to deallocate, preemption: 0/${nodes} nodes are available: ${histogram(preemption)}.`;
}

function histogram(reasons: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .map(([reason, count]) => `${count} ${reason}`)
    .sort()
    .join(", ");
}
