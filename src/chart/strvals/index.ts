/**
 * The lines that `--set` and its sisters take: `a.b=c,d[0]={x,y}`.
 *
 * Each function reads one line into a map of its caller's, which it changes, and gives what is wrong with the line, if
 * anything is. They read no file: `--set-file` is handed a reader.
 */
import { anyList, type GoMap, type GoValue } from "../../lang/template/index.ts";
import { jsonAtStart } from "./json-value.ts";
import { endOfInput, parseError, type ParseStop } from "../set/parse-stop.ts";
import { RuneReader } from "../set/rune-reader.ts";
import { typedValue } from "../set/typed-value.ts";
import { StrvalsParser, type ValueSyntax } from "../set/strvals-parser.ts";

/** `--set`: integers, booleans and null are recognised. */
export function parseInto(values: GoMap, line: string): string | undefined {
  return new StrvalsParser(new RuneReader(line), listed(typedValue)).readInto(values);
}

/** `--set-string`: every value is a text. */
export function parseIntoString(values: GoMap, line: string): string | undefined {
  return new StrvalsParser(
    new RuneReader(line),
    listed((text) => text),
  ).readInto(values);
}

/** `--set-file`: every value is the path of a file, which `read` reads. An error's message is what is wrong. */
export function parseIntoFile(values: GoMap, line: string, read: (path: string) => string): string | undefined {
  return new StrvalsParser(new RuneReader(line), listed(read)).readInto(values);
}

/** `--set-literal`: the value is the rest of the line, whatever is in it. */
export function parseLiteralInto(values: GoMap, line: string): string | undefined {
  return new StrvalsParser(new RuneReader(line), { escapes: false, commas: false, read: readRest }).readInto(values);
}

/** `--set-json`: every value is JSON; nothing is null. */
export function parseJsonInto(values: GoMap, line: string): string | undefined {
  return new StrvalsParser(new RuneReader(line), { escapes: true, commas: true, read: readJson }).readInto(values);
}

function readRest(runes: RuneReader): { value: GoValue } {
  return { value: runes.until("", false).text };
}

function readJson(runes: RuneReader): { value?: GoValue; stop?: ParseStop } {
  if (isEmpty(runes)) return { value: null };
  const found = jsonAtStart(runes.rest);
  if (found === undefined) return { stop: parseError("invalid JSON value") };
  runes.skip(found.length);
  isEmpty(runes);
  return { value: found.value };
}

/** Reads spaces and one comma; tells whether there was nothing else. */
function isEmpty(runes: RuneReader): boolean {
  for (let rune = runes.peek(); rune !== undefined; rune = runes.peek()) {
    if (rune !== "," && !/\s/u.test(rune)) return false;
    runes.skip(1);
    if (rune === ",") return true;
  }
  return true;
}

/** Values up to the next comma, and `{a,b}` for lists of them. */
function listed(convert: (text: string) => GoValue): ValueSyntax {
  const read: ValueSyntax["read"] = (runes, place) => {
    const first = runes.peek();
    // Nothing at all is an empty text; a key, unlike an item, says then that the line is at its end.
    if (first === undefined) return { value: "", ...(place === "key" ? { stop: endOfInput } : {}) };
    return attempt(place, () => (first === "{" ? readList(runes, convert) : { value: convert(runes.until(",", true).text) }));
  };
  return { escapes: true, commas: true, read };
}

function attempt(place: "key" | "item", read: () => { value?: GoValue; stop?: ParseStop }): { value?: GoValue; stop?: ParseStop } {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { ...(place === "key" ? { value: null } : {}), stop: parseError(error.message) };
  }
}

function readList(runes: RuneReader, convert: (text: string) => GoValue): { value?: GoValue; stop?: ParseStop } {
  runes.skip(1);
  const items: GoValue[] = [];
  for (;;) {
    const { text, stop } = runes.until(",}", true);
    if (stop === undefined) return { stop: parseError("list must terminate with '}'") };
    items.push(convert(text));
    if (stop === ",") continue;
    if (runes.peek() === ",") runes.skip(1);
    return { value: anyList(items) };
  }
}
