import type { GraphEdge } from "./graph-data.ts";
import type { Layout } from "./layout/layout-graph.ts";

/** What a line of a layout stands for. */
export type LineDetails = {
  readonly gates: ReadonlySet<string>;
  /** Reasons of its edges, at most a few. */
  readonly reasons: ReadonlySet<string>;
  readonly isImplied: boolean;
};

const maxReasons = 6;

/** Finds the lines between nodes. A line to a join is followed by the one from it. */
export class LineIndex {
  readonly #byEnds = new Map<number, Map<number, number>>();
  readonly #joins = new Map<number, readonly number[]>();
  readonly #unitOf: ReadonlyMap<string, number>;

  constructor({ nodes, units, lines }: Layout) {
    this.#unitOf = new Map(nodes.map(({ id, unit }) => [id, unit]));
    for (const [at, { from, to }] of lines.entries()) {
      const ends = this.#byEnds.get(from) ?? new Map<number, number>();
      this.#byEnds.set(from, ends.set(to, at));
      if (units[to]!.type === "join") this.#joins.set(from, [...(this.#joins.get(from) ?? []), to]);
    }
  }

  /** The lines that an edge runs along; none when its nodes are not there. */
  linesOf(from: string, to: string): readonly number[] {
    const [first, last] = [this.#unitOf.get(from), this.#unitOf.get(to)];
    if (first === undefined || last === undefined) return [];
    const there = this.#between(first, last);
    return there.length > 0 ? there : this.#between(last, first);
  }

  #between(first: number, last: number): readonly number[] {
    const direct = this.#byEnds.get(first)?.get(last);
    if (direct !== undefined) return [direct];
    for (const join of this.#joins.get(first) ?? []) {
      const second = this.#byEnds.get(join)?.get(last);
      if (second !== undefined) return [this.#byEnds.get(first)!.get(join)!, second];
    }
    return [];
  }
}

/** What each line stands for. Gates are said where a line arrives. */
export function lineDetails(layout: Layout, edges: readonly GraphEdge[], index: LineIndex): readonly LineDetails[] {
  const details = layout.lines.map(() => ({ gates: new Set<string>(), reasons: new Set<string>(), isImplied: true }));
  for (const { from, to, gate, because, type } of edges) {
    const lines = index.linesOf(from, to);
    for (const line of lines) {
      const detail = details[line]!;
      if (gate !== undefined && line === lines.at(-1)) detail.gates.add(gate);
      if (because !== undefined && detail.reasons.size < maxReasons) detail.reasons.add(because);
      if (type !== "implied") detail.isImplied = false;
    }
  }
  return details;
}

/** The lines along a chain of nodes, each next to the one before it, in either direction. */
export function linesAlong(chain: readonly string[], index: LineIndex): ReadonlySet<number> {
  return new Set(chain.slice(1).flatMap((id, at) => index.linesOf(chain[at]!, id)));
}
