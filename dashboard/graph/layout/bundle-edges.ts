import type { IndexedEdge } from "./assign-layers.ts";

/** Edges, some of which meet in joins. The numbers of joins follow those of nodes. */
type BundledEdges = { readonly edges: readonly IndexedEdge[]; readonly joinLayers: readonly number[] };

/**
 * Leads the edges from many nodes to many others through a join, where each of the ones leads to each of the others: `m + n`
 * edges instead of `m × n`. A join stands behind the layer of its first nodes. Edges lead to the right.
 */
export function bundleEdges(count: number, edges: readonly IndexedEdge[], layers: readonly number[]): BundledEdges {
  const bundles = new Map<string, { readonly from: readonly number[]; readonly to: number[] }>();
  for (const [to, sources] of sourcesByTarget(count, edges))
    for (const from of Map.groupBy(sources, (at) => layers[at]!).values()) {
      const key = from.toSorted((a, b) => a - b).join();
      const bundle = bundles.get(key) ?? { from, to: [] };
      bundle.to.push(to);
      bundles.set(key, bundle);
    }
  const bundled: IndexedEdge[] = [];
  const joinLayers: number[] = [];
  for (const { from, to } of bundles.values()) {
    if (from.length * to.length <= from.length + to.length) {
      for (const source of from) for (const target of to) bundled.push({ from: source, to: target });
      continue;
    }
    const join = count + joinLayers.length;
    joinLayers.push(layers[from[0]!]! + 0.5);
    for (const source of from) bundled.push({ from: source, to: join });
    for (const target of to) bundled.push({ from: join, to: target });
  }
  return { edges: bundled, joinLayers };
}

function sourcesByTarget(count: number, edges: readonly IndexedEdge[]): readonly (readonly [number, readonly number[]])[] {
  const sources: number[][] = Array.from({ length: count }, () => []);
  for (const { from, to } of edges) sources[to]!.push(from);
  return [...sources.entries()].filter(([, from]) => from.length > 0);
}
