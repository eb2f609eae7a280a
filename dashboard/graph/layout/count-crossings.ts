import type { LayeredGraph } from "./layered-graph.ts";

/** How many pairs of segments cross, with the vertices of each layer in this order. `position` has the place of each vertex. */
export function crossingsOf(
  { after }: Pick<LayeredGraph, "after">,
  order: readonly (readonly number[])[],
  position: readonly number[],
): number {
  let crossings = 0;
  for (const [at, layer] of order.entries()) {
    const width = order[at + 1]?.length ?? 0;
    if (width > 0) crossings += crossingsBehind(layer, width, after, position);
  }
  return crossings;
}

/** Counts with a Fenwick tree: each segment crosses those before it that end below it. */
function crossingsBehind(
  layer: readonly number[],
  width: number,
  after: readonly (readonly number[])[],
  position: readonly number[],
): number {
  const tree = new Int32Array(width + 1);
  let [crossings, added] = [0, 0];
  for (const vertex of layer) {
    const ends = after[vertex]!.map((to) => position[to]!);
    for (const end of ends) {
      let above = 0;
      for (let at = end + 1; at > 0; at -= at & -at) above += tree[at]!;
      crossings += added - above;
    }
    for (const end of ends) for (let at = end + 1; at <= width; at += at & -at) tree[at]!++;
    added += ends.length;
  }
  return crossings;
}
