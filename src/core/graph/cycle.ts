import type { Needs } from "./graph.ts";

/** Some cycle of the graph, as `[a, b, a]`, without the path that leads to it. Undefined when there is none. */
export function someCycle<Id>(graph: Needs<Id>): Id[] | undefined {
  const done = new Set<Id>();
  for (const start of graph.keys()) {
    const cycle = cycleFrom(start, graph, done);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

/** Searches from `start` and marks ids that lead to no cycle. Uses its own stack, because graphs can be deep. */
function cycleFrom<Id>(start: Id, graph: Needs<Id>, done: Set<Id>): Id[] | undefined {
  if (done.has(start)) return undefined;
  const needed = (id: Id) => (graph.get(id) ?? [])[Symbol.iterator]();
  const place = new Map<Id, number>([[start, 0]]);
  const path: { id: Id; next: Iterator<Id> }[] = [{ id: start, next: needed(start) }];
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const need = top.next.next();
    if (need.done === true) {
      done.add(top.id);
      place.delete(top.id);
      path.pop();
      continue;
    }
    const seenAt = place.get(need.value);
    if (seenAt !== undefined) return [...path.slice(seenAt).map(({ id }) => id), need.value];
    if (done.has(need.value)) continue;
    place.set(need.value, path.length);
    path.push({ id: need.value, next: needed(need.value) });
  }
  return undefined;
}
