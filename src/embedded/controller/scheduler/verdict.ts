import type { KubeObject } from "../../../core/object/index.ts";
import type { Pod } from "../../behaviour/index.ts";
import { filters, type Objection } from "./filter.ts";
import { preference } from "../node/index.ts";
import type { NodeState } from "./node-state.ts";
import { looksAround, podAffinityFilter, topologySpreadFilter, type Neighbours } from "./pod-affinity.ts";

/** Where a pod goes, or in kube-scheduler's words why nowhere. */
export type Verdict = { readonly node: string } | { readonly message: string };

/** Says of a node why a pod's volumes keep it off, if they do. */
export type VolumeFilter = (node: KubeObject) => string | undefined;

/** Finds the node for a pod. */
export function place(pod: Pod, neighbours: Neighbours, volumes: VolumeFilter): Verdict {
  const { nodes } = neighbours;
  const anyShuns = nodes.some(({ shunning }) => shunning.size > 0);
  const spread = looksAround(pod) ? topologySpreadFilter(pod, neighbours) : undefined;
  const affinity = looksAround(pod) || anyShuns ? podAffinityFilter(pod, neighbours) : undefined;
  const objections: Objection[] = [];
  let best: { state: NodeState; preference: number } | undefined;
  for (const state of nodes) {
    const objection = objectionTo(pod, state, { volumes, spread, affinity });
    if (objection !== undefined) {
      objections.push(objection);
      continue;
    }
    const found = { state, preference: preference(pod.spec, state.node) };
    if (best === undefined || isBetter(found, best)) best = found;
  }
  return best === undefined ? { message: unavailable(nodes.length, objections) } : { node: best.state.node.metadata.name };
}

/** Nodes come sorted by name, so the first of equals stays. */
function isBetter(a: { state: NodeState; preference: number }, b: { state: NodeState; preference: number }): boolean {
  return a.preference === b.preference ? a.state.pods.size < b.state.pods.size : a.preference > b.preference;
}

type Around = {
  readonly volumes: VolumeFilter;
  readonly spread: ((node: KubeObject) => string | undefined) | undefined;
  readonly affinity: ((node: KubeObject) => string | undefined) | undefined;
};

function objectionTo(pod: Pod, state: NodeState, { volumes, spread, affinity }: Around): Objection | undefined {
  for (const filter of filters) {
    const objection = filter(pod, state);
    if (objection !== undefined) return objection;
  }
  const volume = volumes(state.node);
  if (volume !== undefined) return { reasons: [volume], hopeless: true };
  const skewed = spread?.(state.node);
  if (skewed !== undefined) return { reasons: [skewed], hopeless: skewed.endsWith("(missing required label)") };
  const kept = affinity?.(state.node);
  return kept === undefined ? undefined : { reasons: [kept], hopeless: kept.endsWith("pod affinity rules") };
}

/** Models pkg/scheduler/framework/types.go FitError and framework/preemption/preemption.go */
function unavailable(nodes: number, objections: readonly Objection[]): string {
  if (nodes === 0) return "no nodes available to schedule pods";
  const why = objections.flatMap(({ reasons }) => reasons);
  const preemption = objections.map((objection) => (objection.hopeless ? notHelpful : noVictims));
  return `0/${nodes} nodes are available: ${histogram(why)}. ${afterThat(nodes, preemption)}`;
}

/** A refusal that concerns the pod and no node in particular. */
export function refusedBefore(nodes: number, why: string): string {
  return `0/${nodes} nodes are available: ${why}. ${afterThat(
    nodes,
    Array.from({ length: nodes }, () => notHelpful),
  )}`;
}

const notHelpful = "Preemption is not helpful for scheduling";
const noVictims = "No preemption victims found for incoming pod";

function afterThat(nodes: number, preemption: readonly string[]): string {
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
