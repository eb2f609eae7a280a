import { someCycle } from "./cycle.ts";
import { bothWays, CycleError, type Needs } from "./graph.ts";

/** Groups ids into waves: a wave may run all at once, after every wave before it. Inside a wave ids keep the order they came in. */
export function waves<Id>(graph: Needs<Id>): Id[][] {
  const depth = depths(graph);
  const grouped: Id[][] = [];
  for (const [id, at] of depth) (grouped[at] ??= []).push(id);
  return grouped;
}

/**
 * Every id after all that it needs. Ids keep the order they came in, except that what an id needs is drawn before it; so
 * a graph that comes in a good order stays as it is.
 */
export function topologicalOrder<Id>(graph: Needs<Id>): Id[] {
  const state = new Map<Id, "open" | "done">();
  const order: Id[] = [];
  for (const start of graph.keys()) {
    const path: { id: Id; next: Iterator<Id> }[] = [];
    const enter = (id: Id) => {
      if (state.get(id) === "done") return;
      if (state.get(id) === "open") throw new CycleError(someCycle(graph) ?? [id]);
      state.set(id, "open");
      path.push({ id, next: (graph.get(id) ?? [])[Symbol.iterator]() });
    };
    enter(start);
    while (path.length > 0) {
      const { id, next } = path.at(-1)!;
      const need = next.next();
      if (need.done === true) {
        state.set(id, "done");
        order.push(id);
        path.pop();
      } else enter(need.value);
    }
  }
  return order;
}

/** How many steps stand before each id at the least; in the order of insertion. */
function depths<Id>(graph: Needs<Id>): Map<Id, number> {
  const { needs, neededBy } = bothWays(graph);
  const unmet = new Map([...needs].map(([id, on]) => [id, on.size]));
  const depth = new Map<Id, number>();
  const free = [...needs.keys()].filter((id) => unmet.get(id) === 0);
  for (const id of free) depth.set(id, 0);
  // `free` grows while it is walked; every id enters it once, when its last need is met.
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
