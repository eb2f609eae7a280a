import type { Property } from "./ordering-constraints.ts";

/**
 * Splits a list at commas outside of brackets and quotes that are not escaped. Removes the backslash before a comma and
 * keeps all others, because JSONPath uses them.
 */
export function splitList(text: string): readonly string[] {
  const cuts = separatorsIn(text).filter((at) => text[at] === ",");
  const edges = [-1, ...cuts, text.length];
  return edges.slice(1).map((end, index) => text.slice(edges[index]! + 1, end).replaceAll("\\,", ","));
}

/** Splits `path=value` at the first equals sign outside of brackets and quotes that is not escaped; undefined when there is none. */
export function splitPair(text: string): Property | undefined {
  const cut = separatorsIn(text).find((at) => text[at] === "=");
  if (cut === undefined) return undefined;
  return { path: text.slice(0, cut).replaceAll("\\=", "="), value: text.slice(cut + 1).replaceAll("\\=", "=") };
}

/**
 * The indexes of separating commas and equals signs. An unclosed bracket or quote counts as an ordinary character, so
 * that half a filter is reported and does not swallow the rest.
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

/** The index of the closing bracket; brackets inside quotes do not count. */
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
