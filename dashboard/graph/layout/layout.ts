import { assignLayers, type IndexedEdge } from "./assign-layers.ts";
import { bundleEdges } from "./bundle-edges.ts";
import { distinct, groupUnits, type Unit } from "./group-units.ts";
import { keepOrder } from "./keep-order.ts";
import { layeredGraph } from "./layered-graph.ts";
import type { Layout, LayoutGraph } from "./layout-graph.ts";
import { orderLayers } from "./order-layers.ts";
import { placeUnits } from "./place-units.ts";
import { placeVertices } from "./place-vertices.ts";
import { unitShape } from "./unit-shape.ts";

/**
 * Places a graph from left to right: layers by stage, rank and edges, few crossings, no overlap. The same graph always gives the
 * same layout, and it takes time in proportion to nodes and lines.
 */
export function layout(graph: LayoutGraph): Layout {
  const { nodes } = graph;
  const edges = indexed(graph);
  const layers = assignLayers(nodes, edges);
  const rightward = edges.map(({ from, to }) => (layers[from]! <= layers[to]! ? { from, to } : { from: to, to: from }));
  const bundled = bundleEdges(nodes.length, distinct(rightward), layers);
  const unitGraph = groupUnits(nodes.length, bundled.edges, [...layers, ...bundled.joinLayers]);
  const layered = layeredGraph(unitGraph);
  const known = previousCentres(unitGraph.units, graph);
  // A graph that is mostly new is better off without its past.
  const previous = known.size * 2 >= unitGraph.units.length ? known : new Map<number, number>();
  const order = previous.size === 0 ? orderLayers(layered) : keepOrder(layered, previous);
  const heights = unitGraph.units.map((unit) => unitShape(unit.nodes.length).height);
  return placeUnits(graph, unitGraph, layered, placeVertices(layered, order, { units: heights, previous }));
}

function indexed({ nodes, edges }: LayoutGraph): readonly IndexedEdge[] {
  const numberOf = new Map(nodes.map(({ id }, at) => [id, at]));
  return edges.flatMap((edge) => {
    const [from, to] = [numberOf.get(edge.from), numberOf.get(edge.to)];
    return from === undefined || to === undefined || from === to ? [] : [{ from, to }];
  });
}

/** A unit was in the middle of those of its nodes that are known. */
function previousCentres(units: readonly Unit[], { nodes, previous = {} }: LayoutGraph): ReadonlyMap<number, number> {
  return new Map(
    units.flatMap((unit, at) => {
      const known = unit.nodes.map((node) => previous[nodes[node]!.id]).filter((height) => height !== undefined);
      return known.length === 0 ? [] : [[at, known.reduce((sum, each) => sum + each, 0) / known.length] as const];
    }),
  );
}
