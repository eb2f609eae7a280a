/** What each id needs: an edge from an id to everything that has to come before it. */
export type Needs<Id> = ReadonlyMap<Id, Iterable<Id>>;

/** Ids that need each other all the way round. Only the cycle itself, the first id once more at its end. */
export class CycleError<Id = unknown> extends Error {
  readonly cycle: readonly Id[];

  constructor(cycle: readonly Id[]) {
    super(`dependency cycle: ${cycle.join(" -> ")}`);
    this.name = "CycleError";
    this.cycle = cycle;
  }
}

/** The graph with its edges both ways. Ids that are only needed count as ids too; an edge that is there twice counts once. */
export type TwoWayGraph<Id> = { readonly needs: ReadonlyMap<Id, ReadonlySet<Id>>; readonly neededBy: ReadonlyMap<Id, readonly Id[]> };

/** Ids come in the order in which they are first named as keys, then those that are only needed. */
export function twoWayGraph<Id>(graph: Needs<Id>): TwoWayGraph<Id> {
  const needs = new Map<Id, Set<Id>>();
  for (const [id, on] of graph) needs.set(id, new Set(on));
  const needed = [...needs.values()].flatMap((on) => [...on]);
  for (const id of needed) if (!needs.has(id)) needs.set(id, new Set());
  const neededBy = new Map<Id, Id[]>([...needs.keys()].map((id) => [id, []]));
  for (const [id, on] of needs) for (const need of on) neededBy.get(need)!.push(id);
  return { needs, neededBy };
}
