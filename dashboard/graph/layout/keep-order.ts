import type { LayeredGraph } from "./layered-graph.ts";

const sweeps = 4;

/**
 * Orders the vertices of each layer as they were drawn before. `heights` has those of the units that were; what is new goes
 * where its neighbours are.
 */
export function keepOrder({ layers, before, after }: LayeredGraph, heights: ReadonlyMap<number, number>): readonly (readonly number[])[] {
  const height = new Map(heights);
  const settle = (vertex: number) => {
    if (heights.has(vertex)) return;
    const near = [...before[vertex]!, ...after[vertex]!].flatMap((each) => height.get(each) ?? []);
    if (near.length > 0) height.set(vertex, near.reduce((sum, each) => sum + each, 0) / near.length);
  };
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const turn = sweep % 2 === 0 ? layers : layers.toReversed();
    for (const layer of turn) layer.forEach(settle);
  }
  // What has no neighbour goes below the rest.
  const heightOf = (vertex: number) => height.get(vertex) ?? Number.MAX_VALUE;
  return layers.map((layer) => layer.toSorted((a, b) => heightOf(a) - heightOf(b) || a - b));
}
