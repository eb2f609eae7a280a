/** The way from a key back to itself, both ends named; undefined when there is none. */
export function findCycle(start: string, needs: (key: string) => readonly string[]): readonly string[] | undefined {
  const cameFrom = new Map<string, string>();
  const open = [start];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const next of needs(at)) {
      if (next === start) return pathTo(at, start, cameFrom);
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, at);
      open.push(next);
    }
  }
  return undefined;
}

function pathTo(end: string, start: string, cameFrom: ReadonlyMap<string, string>): readonly string[] {
  const way = [start];
  for (let at = end; at !== start; at = cameFrom.get(at) ?? start) way.unshift(at);
  return [start, ...way];
}
