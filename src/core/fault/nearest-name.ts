/** The known name that is most likely meant by an unknown one: few letters differ, or only their case. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((candidate) => ({ candidate, changes: changesBetween(name.toLowerCase(), candidate.toLowerCase()) }))
    .toSorted((a, b) => a.changes - b.changes);
  const most = Math.min(3, Math.floor(name.length / 3));
  return best !== undefined && best.changes <= most ? best.candidate : undefined;
}

/** The Levenshtein distance of two texts. */
function changesBetween(a: string, b: string): number {
  // Nothing this far apart is near, and a hostile name may be long.
  if (Math.abs(a.length - b.length) > 3) return Infinity;
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}
