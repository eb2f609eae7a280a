/** The dependencies of each id: an edge from an id to everything that has to come before it. */
export type Needs<Id> = ReadonlyMap<Id, Iterable<Id>>;

/** Ids that need each other in a cycle. Contains the cycle only, with the first id again at its end. */
export class CycleError<Id = unknown> extends Error {
  readonly cycle: readonly Id[];

  constructor(cycle: readonly Id[]) {
    super(`dependency cycle: ${cycle.join(" -> ")}`);
    this.name = "CycleError";
    this.cycle = cycle;
  }
}

/** The graph with edges in both directions. Ids that appear only as dependencies are included. Duplicate edges count once. */
type TwoWayGraph<Id> = { readonly needs: ReadonlyMap<Id, ReadonlySet<Id>>; readonly neededBy: ReadonlyMap<Id, readonly Id[]> };

/** Ids keep the order of the keys. Ids that appear only as dependencies follow. */
export function twoWayGraph<Id>(graph: Needs<Id>): TwoWayGraph<Id> {
  const needs = new Map<Id, Set<Id>>();
  for (const [id, on] of graph) needs.set(id, new Set(on));
  const needed = [...needs.values()].flatMap((on) => [...on]);
  for (const id of needed) if (!needs.has(id)) needs.set(id, new Set());
  const neededBy = new Map<Id, Id[]>([...needs.keys()].map((id) => [id, []]));
  for (const [id, on] of needs) for (const need of on) neededBy.get(need)!.push(id);
  return { needs, neededBy };
}
