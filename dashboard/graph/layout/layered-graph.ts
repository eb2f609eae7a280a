import type { IndexedEdge } from "./assign-layers.ts";
import type { UnitGraph } from "./group-units.ts";

/**
 * Units and the points at which long lines pass layers, all as vertices: first the units, then the points. Every segment
 * leads from a layer to the next one.
 */
export type LayeredGraph = {
  readonly layers: readonly (readonly number[])[];
  /** The layer of each vertex. */
  readonly layerOf: readonly number[];
  readonly before: readonly (readonly number[])[];
  readonly after: readonly (readonly number[])[];
  readonly unitCount: number;
  /** The vertices of each edge of the units, first to last. */
  readonly paths: readonly (readonly number[])[];
};

/** Lines that would pass more layers than this in all are drawn straight: they would cost more than they show. */
const maxPassing = 50_000;

/** Lets long edges pass the layers between. All long edges of a unit share their way, as far as it is the same. */
export function layeredGraph({ units, edges }: UnitGraph): LayeredGraph {
  const numbers = [...new Set(units.map(({ layer }) => layer))].toSorted((a, b) => a - b);
  const indexOf = new Map(numbers.map((layer, at) => [layer, at]));
  const layers: number[][] = numbers.map(() => []);
  const layerOf = units.map(({ layer }) => indexOf.get(layer)!);
  layerOf.forEach((layer, unit) => layers[layer]!.push(unit));
  const before: number[][] = units.map(() => []);
  const after: number[][] = units.map(() => []);
  const link = (from: number, to: number) => {
    after[from]!.push(to);
    before[to]!.push(from);
  };
  const ways = new Map<number, number[]>();
  const extend = (way: number[], to: number, first: number) => {
    while (first + way.length < to) {
      const vertex = before.length;
      before.push([]);
      after.push([]);
      layers[first + way.length]!.push(vertex);
      layerOf.push(first + way.length);
      link(way.at(-1)!, vertex);
      way.push(vertex);
    }
  };
  const pathOf = ({ from, to }: IndexedEdge): readonly number[] => {
    const span = layerOf[to]! - layerOf[from]!;
    if (span > 1 && before.length - units.length + span > maxPassing) return [from, to];
    const way = ways.get(from) ?? [from];
    ways.set(from, way);
    extend(way, layerOf[to]!, layerOf[from]!);
    link(way[span - 1]!, to);
    return [...way.slice(0, span), to];
  };
  const paths = edges.map(pathOf);
  return { layers, layerOf, before, after, unitCount: units.length, paths };
}
