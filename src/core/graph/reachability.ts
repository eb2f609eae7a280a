import { topologicalOrder } from "./topological-order.ts";
import { twoWayGraph, type Needs } from "./graph.ts";

/** Everything that the ids need, directly or not. An id is included only if it is in a cycle. */
export function needsOf<Id>(graph: Needs<Id>, ids: Iterable<Id>): Set<Id> {
  return reach(twoWayGraph(graph).needs, ids);
}

/** Everything that needs one of the ids, directly or not. */
export function dependantsOf<Id>(graph: Needs<Id>, ids: Iterable<Id>): Set<Id> {
  return reach(twoWayGraph(graph).neededBy, ids);
}

function reach<Id>(edges: ReadonlyMap<Id, Iterable<Id>>, from: Iterable<Id>): Set<Id> {
  const found = new Set<Id>();
  const visit = (id: Id) => {
    for (const neighbour of edges.get(id) ?? []) found.add(neighbour);
  };
  for (const id of from) visit(id);
  // Iterating a growing set also visits the new elements.
  for (const id of found) visit(id);
  return found;
}

/** The chain of dependencies that takes longest, first to last, and its cost. Throws a CycleError. */
export function criticalPath<Id>(graph: Needs<Id>, costOf: (id: Id) => number): { path: Id[]; cost: number } {
  const { needs } = twoWayGraph(graph);
  const reached = new Map<Id, Step<Id>>();
  let last: Step<Id> | undefined;
  for (const id of topologicalOrder(graph)) {
    let before: Step<Id> | undefined;
    for (const need of needs.get(id)!) before = later(before, reached.get(need)!);
    const step = { id, cost: (before?.cost ?? 0) + costOf(id), before };
    reached.set(id, step);
    last = later(last, step);
  }
  return { path: chainTo(last), cost: last?.cost ?? 0 };
}

type Step<Id> = { readonly id: Id; readonly cost: number; readonly before: Step<Id> | undefined };

/** The step that ends later. Of two that end together, the first. */
function later<Id>(a: Step<Id> | undefined, b: Step<Id>): Step<Id> {
  return a === undefined || b.cost > a.cost ? b : a;
}

function chainTo<Id>(last: Step<Id> | undefined): Id[] {
  const path: Id[] = [];
  for (let step = last; step !== undefined; step = step.before) path.push(step.id);
  return path.reverse();
}
