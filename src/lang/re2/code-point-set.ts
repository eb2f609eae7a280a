/** A set of code points: ranges in order, with gaps between them. */
export type CodePointSet = readonly (readonly [first: number, last: number])[];

const lastCodePoint = 0x10ffff;

/** The set of these ranges. */
export function setOf(...ranges: readonly (readonly [number, number])[]): CodePointSet {
  const joined: [number, number][] = [];
  for (const [first, last] of ranges.toSorted(([a], [b]) => a - b)) {
    const previous = joined.at(-1);
    if (previous !== undefined && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last);
    else joined.push([first, last]);
  }
  return joined;
}

/** The set of the characters in a text. */
export function charactersIn(text: string): CodePointSet {
  return setOf(...Array.from(text, (character): [number, number] => [character.codePointAt(0)!, character.codePointAt(0)!]));
}

export function union(...sets: readonly CodePointSet[]): CodePointSet {
  return setOf(...sets.flat());
}

export function complement(set: CodePointSet): CodePointSet {
  const rest: [number, number][] = [];
  let from = 0;
  for (const [first, last] of set) {
    if (first > from) rest.push([from, first - 1]);
    from = last + 1;
  }
  if (from <= lastCodePoint) rest.push([from, lastCodePoint]);
  return rest;
}

export function areDisjoint(one: CodePointSet, other: CodePointSet): boolean {
  return one.every(([first, last]) => other.every(([from, to]) => last < from || to < first));
}

export function includesAll(set: CodePointSet, part: CodePointSet): boolean {
  return areDisjoint(complement(set), part);
}

/** The source of a JavaScript RegExp, with the flag `u`, that matches one character of the set. */
export function setSource(set: CodePointSet): string {
  const [only] = set;
  if (set.length === 1 && only !== undefined && only[0] === only[1]) return escaped(only[0]);
  return `[${set.map(([first, last]) => (first === last ? escaped(first) : `${escaped(first)}-${escaped(last)}`)).join("")}]`;
}

function escaped(point: number): string {
  const character = String.fromCodePoint(point);
  return /^[A-Za-z0-9]$/.test(character) ? character : `\\u{${point.toString(16)}}`;
}
