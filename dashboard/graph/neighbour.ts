import type { GraphEdge } from "./graph-data.ts";
import type { PlacedNode } from "./layout/layout-graph.ts";

export type Direction = "left" | "right" | "up" | "down";

/**
 * The node that an arrow key leads to: left and right along edges, to the nearest end; where there is no edge, to the next
 * column. Up and down in the column.
 */
export function neighbourOf(
  id: string,
  direction: Direction,
  nodes: readonly PlacedNode[],
  edges: readonly GraphEdge[],
): string | undefined {
  const at = nodes.find((node) => node.id === id);
  if (at === undefined) return nodes[0]?.id;
  if (direction === "up" || direction === "down") return verticalNeighbour(at, direction, nodes);
  const ends = new Set(edges.flatMap(({ from, to }) => (direction === "right" ? (from === id ? [to] : []) : to === id ? [from] : [])));
  const linked = nearest(
    at,
    nodes.filter((node) => ends.has(node.id)),
  );
  if (linked !== undefined) return linked;
  const beside = nodes.filter(({ x }) => (direction === "right" ? x > at.x : x < at.x));
  const column = beside.reduce(
    (best, { x }) => (direction === "right" ? Math.min(best, x) : Math.max(best, x)),
    direction === "right" ? Infinity : -Infinity,
  );
  return nearest(
    at,
    beside.filter(({ x }) => x === column),
  );
}

function verticalNeighbour({ id, x, y }: PlacedNode, direction: "up" | "down", nodes: readonly PlacedNode[]): string | undefined {
  const column = nodes.filter((node) => node.id !== id && node.x === x && (direction === "down" ? node.y > y : node.y < y));
  return nearest({ x, y }, column);
}

function nearest({ x, y }: { readonly x: number; readonly y: number }, nodes: readonly PlacedNode[]): string | undefined {
  const distance = (node: PlacedNode) => Math.abs(node.y - y) + Math.abs(node.x - x) / 1000;
  return nodes.reduce<PlacedNode | undefined>(
    (best, node) => (best === undefined || distance(node) < distance(best) ? node : best),
    undefined,
  )?.id;
}
