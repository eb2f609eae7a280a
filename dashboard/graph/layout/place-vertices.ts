import type { LayeredGraph } from "./layered-graph.ts";
import { sizes } from "./layout-graph.ts";
import { placeLayer } from "./place-layer.ts";

const sweeps = 8;
/** Long lines are kept straight more strongly than short ones are. */
const passingWeight = 6;
/** What was drawn before stays near its place. */
const previousWeight = 3;

type Heights = {
  /** The height of each unit. */
  readonly units: readonly number[];
  /** Where units were before. */
  readonly previous: ReadonlyMap<number, number>;
};

/** The centre of each vertex: near those of its neighbours, without overlap. */
export function placeVertices(graph: LayeredGraph, order: readonly (readonly number[])[], { units, previous }: Heights): readonly number[] {
  const { before, after, unitCount } = graph;
  const isPassing = (vertex: number) => vertex >= unitCount;
  const distanceBetween = (above: number, below: number) => {
    const gap = isPassing(above) && isPassing(below) ? sizes.lineGap : sizes.unitGap;
    return ((units[above] ?? 0) + (units[below] ?? 0)) / 2 + gap;
  };
  const distances = order.map((layer) => layer.map((vertex, at) => (at === 0 ? 0 : distanceBetween(layer[at - 1]!, vertex))));
  const centres = Array.from({ length: before.length }, () => 0);
  const start = (vertex: number, fallback: number) => (centres[vertex] = previous.get(vertex) ?? fallback);
  for (const [layerAt, layer] of order.entries()) {
    let at = -distances[layerAt]!.reduce((sum, each) => sum + each, 0) / 2;
    for (const [index, vertex] of layer.entries()) start(vertex, (at += distances[layerAt]![index]!));
  }
  const wishOf = (vertex: number, near: readonly number[], distance: number) => {
    let [sum, weight] = [0, 0];
    const isLong = isPassing(vertex);
    for (const each of near) {
      const by = isLong && isPassing(each) ? passingWeight : 1;
      sum += centres[each]! * by;
      weight += by;
    }
    const earlier = previous.get(vertex);
    if (earlier !== undefined) {
      sum += earlier * previousWeight;
      weight += previousWeight;
    }
    // What has no neighbour stays where it is, unless it is in the way.
    return weight === 0 ? { centre: centres[vertex]!, weight: 0.01, distance } : { centre: sum / weight, weight, distance };
  };
  for (let sweep = 0; sweep <= sweeps; sweep++) {
    const isForward = sweep % 2 === 0;
    for (const at of isForward ? order.keys() : [...order.keys()].toReversed()) {
      const layer = order[at]!;
      const nearOf = (vertex: number) =>
        sweep === sweeps ? [...before[vertex]!, ...after[vertex]!] : (isForward ? before : after)[vertex]!;
      const placed = placeLayer(layer.map((vertex, index) => wishOf(vertex, nearOf(vertex), distances[at]![index]!)));
      layer.forEach((vertex, index) => (centres[vertex] = placed[index]!));
    }
  }
  return centres;
}
