import { someCycle } from "./cycle.ts";
import { twoWayGraph, CycleError, type Needs } from "./graph.ts";

/** Groups ids into waves. A wave may run in parallel, after all waves before it. Inside a wave ids keep their order. */
export function waves<Id>(graph: Needs<Id>): Id[][] {
  const depth = depths(graph);
  const grouped: Id[][] = [];
  for (const [id, at] of depth) (grouped[at] ??= []).push(id);
  return grouped;
}

/**
 * Sorts ids after all that they need. Ids keep their order, except that a dependency moves before its dependant. A
 * sorted graph stays as it is.
 */
export function topologicalOrder<Id>(graph: Needs<Id>): Id[] {
  // Keeps the order in which ids are added.
  const done = new Set<Id>();
  for (const [id, needs] of graph) {
    if (done.has(id)) continue;
    if (areIn(done, needs)) done.add(id);
    else descend(id, graph, done);
  }
  return [...done];
}

function areIn<Id>(done: ReadonlySet<Id>, needs: Iterable<Id>): boolean {
  for (const need of needs) if (!done.has(need)) return false;
  return true;
}

/** Adds the dependencies of an id, then the id. Uses its own stack, because graphs can be deep. */
function descend<Id>(start: Id, graph: Needs<Id>, done: Set<Id>): void {
  const open = new Set<Id>();
  const path: { id: Id; next: Iterator<Id> }[] = [];
  const enter = (id: Id) => {
    if (done.has(id)) return;
    if (open.has(id)) throw new CycleError(someCycle(graph) ?? [id]);
    open.add(id);
    path.push({ id, next: (graph.get(id) ?? [])[Symbol.iterator]() });
  };
  enter(start);
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const need = top.next.next();
    if (need.done !== true) enter(need.value);
    else {
      done.add(top.id);
      path.pop();
    }
  }
}

/** The length of the longest path before each id, in insertion order. */
function depths<Id>(graph: Needs<Id>): Map<Id, number> {
  const { needs, neededBy } = twoWayGraph(graph);
  const unmet = new Map([...needs].map(([id, on]) => [id, on.size]));
  const depth = new Map<Id, number>();
  const free = [...needs.keys()].filter((id) => unmet.get(id) === 0);
  for (const id of free) depth.set(id, 0);
  // `free` grows during the loop. Every id enters it once, when its last dependency is met.
  for (const id of free) {
    for (const dependant of neededBy.get(id)!) {
      const left = unmet.get(dependant)! - 1;
      unmet.set(dependant, left);
      depth.set(dependant, Math.max(depth.get(dependant) ?? 0, depth.get(id)! + 1));
      if (left === 0) free.push(dependant);
    }
  }
  if (free.length < needs.size) throw new CycleError(someCycle(graph) ?? []);
  return new Map([...needs.keys()].map((id) => [id, depth.get(id)!]));
}
