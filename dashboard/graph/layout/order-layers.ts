import { crossingsOf } from "./count-crossings.ts";
import type { LayeredGraph } from "./layered-graph.ts";

/** Sweeps end when they have looked at this many segments. */
const budget = 3_000_000;
const maxSweeps = 24;
/** Sweeps end after this many without fewer crossings. */
const patience = 4;

/** Orders the vertices of each layer so that few lines cross: each goes to the mean of its neighbours, layer by layer, to and fro. */
export function orderLayers(graph: LayeredGraph): readonly (readonly number[])[] {
  const { layers, before, after } = graph;
  const position = Array.from({ length: before.length }, () => 0);
  const means = new Float64Array(before.length);
  let order = layers.map((layer) => [...layer]);
  for (const layer of order) number(layer, position);
  let best = order;
  let fewest = crossingsOf(graph, order, position);
  const segments = before.reduce((sum, { length }) => sum + length, 1);
  let idle = 0;
  for (let sweep = 0; sweep < maxSweeps && sweep * segments < budget && fewest > 0 && idle < patience; sweep++) {
    const isForward = sweep % 2 === 0;
    const turn = isForward ? [...order.keys()] : [...order.keys()].toReversed();
    const next = [...order];
    for (const at of turn) next[at] = byMean(order[at]!, isForward ? before : after, position, means);
    const crossings = crossingsOf(graph, next, position);
    idle = crossings < fewest ? 0 : idle + 1;
    if (crossings < fewest) [best, fewest] = [next, crossings];
    order = next;
  }
  return best;
}

function number(layer: readonly number[], position: number[]): void {
  layer.forEach((vertex, at) => (position[vertex] = at));
}

/** Vertices without neighbours keep their places; the others are sorted into the remaining ones. */
function byMean(layer: readonly number[], neighbours: readonly (readonly number[])[], position: number[], means: Float64Array): number[] {
  const moved: number[] = [];
  for (const vertex of layer) {
    const near = neighbours[vertex]!;
    if (near.length === 0) continue;
    let sum = 0;
    for (const each of near) sum += position[each]!;
    means[vertex] = sum / near.length;
    moved.push(vertex);
  }
  moved.sort((a, b) => means[a]! - means[b]! || position[a]! - position[b]!);
  let next = 0;
  const ordered = layer.map((vertex) => (neighbours[vertex]!.length > 0 ? moved[next++]! : vertex));
  number(ordered, position);
  return ordered;
}
