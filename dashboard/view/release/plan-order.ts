import type { ReleaseEdge, ReleaseNode } from "../../../src/dashboard/api/index.ts";

/** The stages of a plan, from left to right. */
export const stages: readonly string[] = ["crds", "pre", "main", "post"];

/** Nodes in the order in which a plan comes to them: by stage, by rank, and behind what they need. It does not change while it runs. */
export function inPlanOrder(nodes: readonly ReleaseNode[], edges: readonly ReleaseEdge[]): readonly ReleaseNode[] {
  const depths = depthsOf(nodes, edges);
  return nodes.toSorted((a, b) => stageOf(a) - stageOf(b) || a.rank - b.rank || (depths.get(a.id) ?? 0) - (depths.get(b.id) ?? 0));
}

function stageOf({ stage }: ReleaseNode): number {
  return stages.includes(stage) ? stages.indexOf(stage) : stages.length;
}

/** How many edges lead to each node, one after the other. */
function depthsOf(nodes: readonly ReleaseNode[], edges: readonly ReleaseEdge[]): ReadonlyMap<string, number> {
  const after = Map.groupBy(edges, ({ from }) => from);
  const missing = new Map(nodes.map(({ id }) => [id, 0]));
  for (const { to } of edges) missing.set(to, (missing.get(to) ?? 0) + 1);
  const depths = new Map<string, number>();
  const ready = [...missing].filter(([, count]) => count === 0).map(([id]) => id);
  for (let id = ready.pop(); id !== undefined; id = ready.pop()) {
    const depth = depths.get(id) ?? 0;
    depths.set(id, depth);
    for (const { to } of after.get(id) ?? []) {
      depths.set(to, Math.max(depths.get(to) ?? 0, depth + 1));
      missing.set(to, missing.get(to)! - 1);
      if (missing.get(to) === 0) ready.push(to);
    }
  }
  return depths;
}
