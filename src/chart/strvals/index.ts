/**
 * Parses the lines of `--set` and its variants: `a.b=c,d[0]={x,y}`. Models helm pkg/strvals
 *
 * Each function parses one line into a map of the caller, which it changes, and returns what is wrong with the line.
 * They read no file: `--set-file` takes a reader.
 */
import { anyList, type GoMap, type GoValue } from "../../lang/template/index.ts";
import { jsonAtStart } from "./json-value.ts";
import { endOfInput, parseError, type ParseStop } from "./parse-stop.ts";
import { RuneReader } from "./rune-reader.ts";
import { typedValue } from "./typed-value.ts";
import { StrvalsParser, type ValueSyntax } from "./strvals-parser.ts";

/** `--set`: integers, booleans and null are recognised. */
export function parseInto(values: GoMap, line: string): string | undefined {
  return new StrvalsParser(new RuneReader(line), listed(typedValue)).readInto(values);
}

/** `--set-string`: every value is a string. */
export function parseIntoString(values: GoMap, line: string): string | undefined {
  return new StrvalsParser(
    new RuneReader(line),
    listed((text) => text),
  ).readInto(values);
}

/** `--set-file`: every value is the path of a file, which `read` reads. The message of what it throws is returned. */
export function parseIntoFile(values: GoMap, line: string, read: (path: string) => string): string | undefined {
  return new StrvalsParser(new RuneReader(line), listed(read)).readInto(values);
}

/** `--set-literal`: the value is the rest of the line. */
export function parseLiteralInto(values: GoMap, line: string): string | undefined {
  return new StrvalsParser(new RuneReader(line), { escapes: false, commas: false, read: readRest }).readInto(values);
}

/** `--set-json`: every value is JSON. An empty value is null. */
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

/** Skips spaces and one comma. Returns whether there was nothing else. */
function isEmpty(runes: RuneReader): boolean {
  for (let rune = runes.peek(); rune !== undefined; rune = runes.peek()) {
    if (rune !== "," && !/\s/u.test(rune)) return false;
    runes.skip(1);
    if (rune === ",") return true;
  }
  return true;
}

/** Parses values up to the next comma, and `{a,b}` as a list. */
function listed(convert: (text: string) => GoValue): ValueSyntax {
  const read: ValueSyntax["read"] = (runes, place) => {
    const first = runes.peek();
    // An empty value is an empty string. A key, unlike an item, also reports the end of the line.
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
