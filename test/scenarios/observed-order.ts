/** A notation for observed order: `a created < b created, c ready < d gone#2`. */

/** Why an expected order does not hold for the observed changes; undefined when it does. */
export function objectionToOrder(order: string, seen: readonly string[]): string | undefined {
  const groups = order.split(" < ").map((group) => group.split(", ").map((term) => indexOfTerm(term.trim(), seen)));
  for (const { term, place } of groups.flat()) if (place < 0) return `${term} was not seen`;
  for (const [at, later] of groups.entries()) {
    if (at === 0) continue;
    for (const a of groups[at - 1]!) {
      for (const b of later) if (a.place > b.place) return `${b.term} came before ${a.term}`;
    }
  }
  return undefined;
}

/** The index of a term; -1 when it was not observed. */
function indexOfTerm(text: string, seen: readonly string[]): { readonly term: string; readonly place: number } {
  const [, term = text, turn = "1"] = /^(.*)#(\d+)$/.exec(text) ?? [];
  const places = seen.flatMap((each, at) => (each === term ? [at] : []));
  return { term: text, place: places[Number(turn) - 1] ?? -1 };
}

/** The changes that match a pattern with `*`. */
export function matchingChanges(pattern: string, seen: readonly string[]): readonly string[] {
  const fits = new RegExp(`^${pattern.split("*").map(escaped).join(".*")}$`);
  return seen.filter((text) => fits.test(text));
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
