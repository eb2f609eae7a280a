import { fromPlain, type GoValue } from "../../lang/template/index.ts";

const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?(?![.eE])|"(?:[^"\\]|\\.)*"/sy;
const surrogateEscape = /\\u[dD][89a-fA-F]/;
/** Models encoding/json */
const deepest = 10_000;
const piece = /"(?:[^"\\]|\\.)*"|[[\]{}]|[^"[\]{}]+/gs;

/** Parses the JSON value at the start of a text. Undefined when there is none. The length is in characters. */
export function jsonAtStart(text: string): { readonly value: GoValue; readonly length: number } | undefined {
  const start = /^[ \t\r\n]*/.exec(text)![0].length;
  const length = lengthAt(text, start);
  if (length === 0) return undefined;
  try {
    return { value: jsonValue(text.slice(start, start + length)), length: Array.from(text.slice(0, start + length)).length };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Parses JSON as Go does: a lone surrogate is replaced, and nesting has a limit. */
export function jsonValue(text: string): GoValue {
  if (depthOf(text) > deepest) throw new SyntaxError("exceeded max depth");
  // A reviver is called recursively.
  return fromPlain(JSON.parse(text, surrogateEscape.test(text) ? wellFormed : undefined));
}

function wellFormed(_: string, item: unknown): unknown {
  return typeof item === "string" ? item.toWellFormed() : item;
}

function depthOf(text: string): number {
  let [depth, most] = [0, 0];
  for (const [found] of text.matchAll(piece)) {
    if (found === "{" || found === "[") most = Math.max(most, ++depth);
    else if (found === "}" || found === "]") depth--;
  }
  return most;
}

function lengthAt(text: string, start: number): number {
  if (text[start] !== "{" && text[start] !== "[") {
    scalar.lastIndex = start;
    return scalar.exec(text)?.[0].length ?? 0;
  }
  let depth = 0;
  for (const { 0: found, index } of text.slice(start).matchAll(piece)) {
    if (found === "{" || found === "[") depth++;
    else if (found === "}" || found === "]") depth--;
    if (depth === 0) return index + found.length;
  }
  return 0;
}
