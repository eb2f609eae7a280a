import type { LayoutNode } from "./layout-graph.ts";

/** Edges by the numbers of their nodes. */
export type IndexedEdge = { readonly from: number; readonly to: number };

/**
 * The layer of each node, from left to right. Stages and ranks are given; within a rank, a node is to the right of what it
 * comes after. Edges that lead back, to an earlier rank or around a cycle, move nothing.
 */
export function assignLayers(nodes: readonly LayoutNode[], edges: readonly IndexedEdge[]): readonly number[] {
  const groups = [...Map.groupBy(nodes.keys(), (at) => `${nodes[at]!.stage} ${nodes[at]!.rank}`).values()].toSorted(
    ([a = 0], [b = 0]) => nodes[a]!.stage - nodes[b]!.stage || nodes[a]!.rank - nodes[b]!.rank,
  );
  const groupOf = Array.from({ length: nodes.length }, () => 0);
  groups.forEach((members, group) => members.forEach((at) => (groupOf[at] = group)));
  const within: number[][] = nodes.map(() => []);
  for (const { from, to } of edges) if (groupOf[from] === groupOf[to]) within[from]!.push(to);
  const depths = depthsIn(within);
  const layers = Array.from({ length: nodes.length }, () => 0);
  let first = 0;
  for (const members of groups) {
    let deepest = 0;
    for (const at of members) {
      layers[at] = first + depths[at]!;
      deepest = Math.max(deepest, depths[at]!);
    }
    first += deepest + 1;
  }
  return layers;
}

/** The longest way to each node, without edges that close a cycle. */
function depthsIn(next: readonly (readonly number[])[]): readonly number[] {
  const order = finishOrder(next);
  const position = Array.from({ length: next.length }, () => 0);
  order.forEach((at, index) => (position[at] = index));
  const depths = Array.from({ length: next.length }, () => 0);
  for (const at of order)
    for (const to of next[at]!) if (position[to]! > position[at]!) depths[to] = Math.max(depths[to]!, depths[at]! + 1);
  return depths;
}

/** Nodes in topological order; where there is a cycle, one edge of it leads back. */
function finishOrder(next: readonly (readonly number[])[]): readonly number[] {
  const isSeen = Array.from({ length: next.length }, () => false);
  const finished: number[] = [];
  for (const start of next.keys()) {
    if (isSeen[start]) continue;
    isSeen[start] = true;
    const path: { readonly at: number; tried: number }[] = [{ at: start, tried: 0 }];
    while (path.length > 0) {
      const step = path.at(-1)!;
      const to = next[step.at]![step.tried++];
      if (to === undefined) finished.push(path.pop()!.at);
      else if (!isSeen[to]) {
        isSeen[to] = true;
        path.push({ at: to, tried: 0 });
      }
    }
  }
  return finished.toReversed();
}
