// Models github.com/pmezard/go-difflib/difflib, a port of Python's difflib: the longest common run first, then both
// sides of it.

type Match = { readonly a: number; readonly b: number; readonly size: number };
type Change = {
  readonly tag: "equal" | "replace" | "delete" | "insert";
  readonly a: readonly [number, number];
  readonly b: readonly [number, number];
};

/** The positions of each line of `b`. Lines that are frequent in a long text are left out. */
function placesOf(b: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [index, line] of b.entries()) places.set(line, [...(places.get(line) ?? []), index]);
  const most = Math.floor(b.length / 100) + 1;
  if (b.length >= 200) for (const [line, found] of places) if (found.length > most) places.delete(line);
  return places;
}

class Matcher {
  readonly #a: readonly string[];
  readonly #b: readonly string[];
  readonly #places: ReadonlyMap<string, readonly number[]>;

  constructor(a: readonly string[], b: readonly string[]) {
    this.#a = a;
    this.#b = b;
    this.#places = placesOf(b);
  }

  matches(): readonly Match[] {
    const found: Match[] = [];
    const visit = (aLow: number, aHigh: number, bLow: number, bHigh: number): void => {
      const match = this.#longest(aLow, aHigh, bLow, bHigh);
      if (match.size === 0) return;
      visit(aLow, match.a, bLow, match.b);
      found.push(match);
      visit(match.a + match.size, aHigh, match.b + match.size, bHigh);
    };
    visit(0, this.#a.length, 0, this.#b.length);
    return joined(found);
  }

  #longest(aLow: number, aHigh: number, bLow: number, bHigh: number): Match {
    let best: Match = { a: aLow, b: bLow, size: 0 };
    let lengths = new Map<number, number>();
    for (let i = aLow; i < aHigh; i += 1) {
      const next = new Map<number, number>();
      for (const j of this.#places.get(this.#a[i] ?? "") ?? []) {
        if (j < bLow) continue;
        if (j >= bHigh) break;
        const size = (lengths.get(j - 1) ?? 0) + 1;
        next.set(j, size);
        if (size > best.size) best = { a: i - size + 1, b: j - size + 1, size };
      }
      lengths = next;
    }
    return this.#widened(best, [aLow, aHigh], [bLow, bHigh]);
  }

  /** Lines that were left out of `#places` still extend an adjacent run. */
  #widened({ a, b, size }: Match, [aLow, aHigh]: readonly [number, number], [bLow, bHigh]: readonly [number, number]): Match {
    let before = 0;
    while (a - before > aLow && b - before > bLow && this.#a[a - before - 1] === this.#b[b - before - 1]) before += 1;
    let after = size;
    while (a + after < aHigh && b + after < bHigh && this.#a[a + after] === this.#b[b + after]) after += 1;
    return { a: a - before, b: b - before, size: before + after };
  }
}

/** Merges adjacent runs. */
function joined(matches: readonly Match[]): readonly Match[] {
  const result: Match[] = [];
  for (const match of matches) {
    const last = result.at(-1);
    const touches = last !== undefined && last.a + last.size === match.a && last.b + last.size === match.b;
    if (last && touches) result[result.length - 1] = { ...last, size: last.size + match.size };
    else result.push(match);
  }
  return result;
}

function changesBetween(a: readonly string[], b: readonly string[]): readonly Change[] {
  const changes: Change[] = [];
  let [i, j] = [0, 0];
  for (const match of [...new Matcher(a, b).matches(), { a: a.length, b: b.length, size: 0 }]) {
    const tag = i < match.a ? (j < match.b ? "replace" : "delete") : j < match.b ? "insert" : undefined;
    if (tag) changes.push({ tag, a: [i, match.a], b: [j, match.b] });
    [i, j] = [match.a + match.size, match.b + match.size];
    if (match.size > 0) changes.push({ tag: "equal", a: [match.a, i], b: [match.b, j] });
  }
  return changes;
}

const context = 3;

/** Groups changes with a few equal lines around them into hunks. */
function hunksOf(changes: readonly Change[]): readonly (readonly Change[])[] {
  const hunks: Change[][] = [];
  let hunk: Change[] = [];
  for (const [index, change] of changes.entries()) {
    const [isFirst, isLast] = [index === 0, index === changes.length - 1];
    if (change.tag !== "equal") hunk.push(change);
    else if (isFirst) hunk.push(ending(change));
    else if (isLast) hunk.push(beginning(change));
    else if (change.a[1] - change.a[0] > 2 * context) {
      hunks.push([...hunk, beginning(change)]);
      hunk = [ending(change)];
    } else hunk.push(change);
  }
  const isEmpty = hunk.every(({ tag }) => tag === "equal");
  return isEmpty ? hunks : [...hunks, hunk];
}

function beginning({ tag, a, b }: Change): Change {
  return { tag, a: [a[0], Math.min(a[1], a[0] + context)], b: [b[0], Math.min(b[1], b[0] + context)] };
}

function ending({ tag, a, b }: Change): Change {
  return { tag, a: [Math.max(a[0], a[1] - context), a[1]], b: [Math.max(b[0], b[1] - context), b[1]] };
}

function rangeText(start: number, stop: number): string {
  const length = stop - start;
  if (length === 1) return `${start + 1}`;
  return `${length === 0 ? start : start + 1},${length}`;
}

/** The unified diff of two texts, without headers; empty when they are the same. */
export function unifiedDiff(a: readonly string[], b: readonly string[]): string {
  return hunksOf(changesBetween(a, b))
    .map((hunk) => hunkText(hunk, a, b))
    .join("");
}

function hunkText(hunk: readonly Change[], a: readonly string[], b: readonly string[]): string {
  const [first, last] = [hunk[0], hunk.at(-1)];
  if (!first || !last) return "";
  const head = `@@ -${rangeText(first.a[0], last.a[1])} +${rangeText(first.b[0], last.b[1])} @@\n`;
  const lines = hunk.flatMap(({ tag, a: from, b: to }) => {
    if (tag === "equal") return a.slice(...from).map((line) => ` ${line}`);
    const gone = tag === "insert" ? [] : a.slice(...from).map((line) => `-${line}`);
    const come = tag === "delete" ? [] : b.slice(...to).map((line) => `+${line}`);
    return [...gone, ...come];
  });
  return `${head}${lines.map((line) => `${line}\n`).join("")}`;
}
