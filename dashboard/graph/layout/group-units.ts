import type { IndexedEdge } from "./assign-layers.ts";

/** A node, a block of nodes that have the same neighbours, or a join. */
export type Unit = { readonly layer: number; readonly nodes: readonly number[] };

export type UnitGraph = { readonly units: readonly Unit[]; readonly edges: readonly IndexedEdge[] };

/**
 * Makes blocks of the nodes of a layer that have the same edges. Joins have no nodes; one with a single edge on both sides
 * gives way to a direct edge. `layers` has those of nodes, then those of joins.
 */
export function groupUnits(count: number, edges: readonly IndexedEdge[], layers: readonly number[]): UnitGraph {
  const all = layers.length;
  const [before, after]: [number[][], number[][]] = [Array.from({ length: all }, () => []), Array.from({ length: all }, () => [])];
  for (const { from, to } of edges) {
    after[from]!.push(to);
    before[to]!.push(from);
  }
  const keyOf = (at: number) => (at >= count ? `join ${at}` : `${layers[at]}|${sorted(before[at]!)}|${sorted(after[at]!)}`);
  const groups = [...Map.groupBy(layers.keys(), keyOf).values()];
  const unitOf = Array.from({ length: all }, () => 0);
  groups.forEach((members, unit) => members.forEach((at) => (unitOf[at] = unit)));
  const units = groups.map((members) => ({ layer: layers[members[0]!]!, nodes: members.filter((at) => at < count) }));
  return withoutIdleJoins(units, distinct(edges.map(({ from, to }) => ({ from: unitOf[from]!, to: unitOf[to]! }))));
}

function sorted(numbers: readonly number[]): string {
  return numbers.toSorted((a, b) => a - b).join();
}

/** Every edge once. */
export function distinct(edges: readonly IndexedEdge[]): readonly IndexedEdge[] {
  const seen = new Map<number, Set<number>>();
  return edges.filter(({ from, to }) => {
    const known = seen.get(from) ?? new Set();
    seen.set(from, known);
    if (known.has(to)) return false;
    known.add(to);
    return true;
  });
}

function withoutIdleJoins(units: readonly Unit[], edges: readonly IndexedEdge[]): UnitGraph {
  const isJoin = (at: number) => units[at]!.nodes.length === 0;
  const [ins, outs] = [Map.groupBy(edges, ({ to }) => to), Map.groupBy(edges, ({ from }) => from)];
  const isIdle = (at: number) => isJoin(at) && ins.get(at)?.length === 1 && outs.get(at)?.length === 1;
  const kept = [...units.keys()].filter((at) => !isIdle(at));
  const numberOf = new Map(kept.map((at, number) => [at, number]));
  const direct = edges
    .filter(({ from }) => !isIdle(from))
    .map(({ from, to }) => ({ from: numberOf.get(from)!, to: numberOf.get(isIdle(to) ? outs.get(to)![0]!.to : to)! }));
  return { units: kept.map((at) => units[at]!), edges: distinct(direct) };
}
