import type { UnitGraph } from "./group-units.ts";
import type { LayeredGraph } from "./layered-graph.ts";
import { sizes, type Layout, type LayoutGraph, type PlacedNode, type PlacedRank, type PlacedUnit } from "./layout-graph.ts";
import { unitShape } from "./unit-shape.ts";

type Column = { readonly x: number; readonly width: number };

/** Puts layers side by side, units at their centres, nodes into units and lines between them. */
export function placeUnits(graph: LayoutGraph, { units, edges }: UnitGraph, layered: LayeredGraph, centres: readonly number[]): Layout {
  const { layerOf, paths } = layered;
  const shapes = units.map((unit) => unitShape(unit.nodes.length));
  const columns = columnsOf(layered, (unit) => shapes[unit]!.width);
  const top = centres.reduce((least, centre, at) => Math.min(least, centre - (shapes[at]?.height ?? 0) / 2), Infinity);
  const heights = centres.map((centre) => Math.round(centre - top));
  const placed = shapes.map(({ width, height }, at): PlacedUnit => {
    const { length } = units[at]!.nodes;
    const type = length === 0 ? "join" : length === 1 ? "node" : "block";
    return { type, x: columns[layerOf[at]!]!.x, y: heights[at]! - height / 2, width, height };
  });
  const nodes = placedNodes(graph, units, placed);
  const lines = edges.map(({ from, to }, at) => {
    const passed = paths[at]!.slice(1, -1).flatMap((vertex) => {
      const { x, width } = columns[layerOf[vertex]!]!;
      return [x, heights[vertex]!, x + width, heights[vertex]!];
    });
    return { from, to, points: [placed[from]!.x + placed[from]!.width, heights[from]!, ...passed, placed[to]!.x, heights[to]!] };
  });
  return {
    width: columns.reduce((right, { x, width }) => Math.max(right, x + width), 0),
    height: placed.reduce(
      (bottom, { y, height }) => Math.max(bottom, y + height),
      heights.reduce((most, each) => Math.max(most, each), 0),
    ),
    nodes,
    units: placed,
    lines,
    ranks: ranksOf(graph, nodes),
  };
}

/** Layers that have only joins stand closer. */
function columnsOf({ layers, unitCount }: LayeredGraph, widthOf: (unit: number) => number): readonly Column[] {
  let right = 0;
  return layers.map((layer, at) => {
    const width = layer.reduce((most, vertex) => (vertex < unitCount ? Math.max(most, widthOf(vertex)) : most), 0);
    const x = at === 0 ? 0 : right + (width <= sizes.join ? sizes.layerGap / 2 : sizes.layerGap);
    right = x + width;
    return { x, width };
  });
}

/** The nodes of a block stand in columns, from top to bottom. */
function placedNodes({ nodes }: LayoutGraph, units: UnitGraph["units"], placed: readonly PlacedUnit[]): readonly PlacedNode[] {
  const { node, blockGap } = sizes;
  return units.flatMap((unit, at) => {
    const { rows, inset } = unitShape(unit.nodes.length);
    return unit.nodes.map((number, index) => ({
      id: nodes[number]!.id,
      x: placed[at]!.x + inset + Math.floor(index / rows) * (node.width + blockGap.x),
      y: placed[at]!.y + inset + (index % rows) * (node.height + blockGap.y),
      unit: at,
    }));
  });
}

function ranksOf({ nodes }: LayoutGraph, placed: readonly PlacedNode[]): readonly PlacedRank[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const ranks = [...Map.groupBy(placed, ({ id }) => `${byId.get(id)!.stage} ${byId.get(id)!.rank}`).values()].map((members) => {
    const { stage, rank } = byId.get(members[0]!.id)!;
    const x = members.reduce((left, each) => Math.min(left, each.x), Infinity);
    const right = members.reduce((most, each) => Math.max(most, each.x + sizes.node.width), 0);
    return { stage, rank, x, width: right - x };
  });
  return ranks.toSorted((a, b) => a.x - b.x);
}
