import type { Property } from "./ordering-constraints.ts";

/**
 * Takes a list apart at each comma that is not in brackets, in quotes or escaped by a backslash. The backslash before a
 * comma goes; every other one stays, since JSONPath has its own.
 */
export function splitList(text: string): readonly string[] {
  const cuts = separatorsIn(text).filter((at) => text[at] === ",");
  const edges = [-1, ...cuts, text.length];
  return edges.slice(1).map((end, index) => text.slice(edges[index]! + 1, end).replaceAll("\\,", ","));
}

/** Takes `path=value` apart at the first equals sign that is not in brackets, in quotes or escaped; undefined when there is none. */
export function splitPair(text: string): Property | undefined {
  const cut = separatorsIn(text).find((at) => text[at] === "=");
  if (cut === undefined) return undefined;
  return { path: text.slice(0, cut).replaceAll("\\=", "="), value: text.slice(cut + 1).replaceAll("\\=", "=") };
}

/**
 * The places of commas and equals signs that part something. A bracket or quote that is never closed is a character like
 * any other: half a filter should be told as such and not swallow what follows.
 */
function separatorsIn(text: string): readonly number[] {
  const places: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (character === "\\") at++;
    else if (character === "[") at = closing(text, at) ?? at;
    else if (character === "," || character === "=") places.push(at);
  }
  return places;
}

/** Where the bracket that opens here is closed; quotes inside hide brackets. */
function closing(text: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const character = text[at]!;
    if (character === "\\") at++;
    else if (character === "'" || character === '"') at = text.indexOf(character, at + 1) < 0 ? at : text.indexOf(character, at + 1);
    else if (character === "[") depth++;
    else if (character === "]" && --depth === 0) return at;
  }
  return undefined;
}
