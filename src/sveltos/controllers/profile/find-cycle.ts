/** The path from a node back to itself, with the node at both ends; undefined when there is none. */
export function findCycle<T>(start: T, dependenciesOf: (node: T) => readonly T[], identity: (node: T) => string): readonly T[] | undefined {
  const startId = identity(start);
  /** The node from which each node was reached. */
  const previous = new Map<string, T>();
  const open = [start];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const next of dependenciesOf(node)) {
      const id = identity(next);
      if (id === startId) return [start, ...pathTo(node), start];
      if (previous.has(id)) continue;
      previous.set(id, node);
      open.push(next);
    }
  }
  return undefined;

  function pathTo(end: T): readonly T[] {
    const path: T[] = [];
    for (let node = end; identity(node) !== startId; node = previous.get(identity(node)) ?? start) path.unshift(node);
    return path;
  }
}
