import { GoList, GoMap, anyList, quote, typeName, types, type GoValue } from "../../lang/template/index.ts";
import { endOfInput, wrapStop, parseError, WrongShape, type ParseStop } from "./parse-stop.ts";
import { readInteger } from "./typed-value.ts";
import type { RuneReader } from "./rune-reader.ts";

const maxIndex = 65_536;
const maxNesting = 30;

/** How the text after `=` is parsed. */
export type ValueSyntax = {
  /** Whether a backslash escapes the next character. */
  readonly escapes: boolean;
  /** Whether a comma ends a key without value. */
  readonly commas: boolean;
  /** Parses a value. It may return a stop and a value together: then the value is set. */
  readonly read: (runes: RuneReader, place: "key" | "item") => { readonly value?: GoValue; readonly stop?: ParseStop };
};

/** The items of a list. They are set even when parsing stops. */
type Filled = { readonly items: GoValue[]; readonly stop?: ParseStop };

/**
 * Parses one `--set` line into a map, which it changes. What an incomplete line leaves behind is as in Helm. Models
 * helm pkg/strvals/parser.go and literal_parser.go
 */
export class StrvalsParser {
  readonly #runes: RuneReader;
  readonly #dialect: ValueSyntax;

  constructor(runes: RuneReader, dialect: ValueSyntax) {
    this.#runes = runes;
    this.#dialect = dialect;
  }

  /** Returns what is wrong with the line, or undefined. */
  readInto(values: GoMap): string | undefined {
    for (;;) {
      const stop = this.#key(values, 0);
      if (stop !== undefined) return stop.isEnd ? undefined : stop.message;
    }
  }

  #key(values: GoMap, nesting: number): ParseStop | undefined {
    try {
      return this.#keyOrPanic(values, nesting);
    } catch (error) {
      if (error instanceof WrongShape) return parseError(error.message);
      throw error;
    }
  }

  #keyOrPanic(values: GoMap, nesting: number): ParseStop | undefined {
    const { text: key, stop } = this.#until(this.#dialect.commas ? "=[,." : "=[.");
    if (stop === undefined) return key === "" ? endOfInput : parseError(`key ${quote(key)} has no value`);
    if (stop === "[") return this.#indexed(values, key, nesting);
    if (stop === ".") return this.#nested(values, key, nesting + 1);
    if (stop === ",") {
      put(values, key, "");
      return parseError(`key ${quote(key)} has no value (cannot end with ,)`);
    }
    const read = this.#dialect.read(this.#runes, "key");
    if (read.value !== undefined) put(values, key, read.value);
    return read.stop;
  }

  #indexed(values: GoMap, key: string, nesting: number): ParseStop | undefined {
    const index = this.#index();
    if (typeof index !== "number") return wrapStop("error parsing index", index);
    const { items, stop } = this.#item(values.has(key) ? itemsOf(values.get(key)) : [], index, nesting);
    put(values, key, anyList(items));
    return stop;
  }

  #nested(values: GoMap, key: string, nesting: number): ParseStop | undefined {
    if (nesting > maxNesting) return parseError(`value name nested level is greater than maximum supported nested level of ${maxNesting}`);
    const known = values.get(key);
    if (known !== undefined && !isTable(known)) throw new WrongShape(nameOf(known), types.anyMap.name);
    const inner = known ?? new GoMap();
    const stop = this.#key(inner, nesting);
    if (stop === undefined && inner.size === 0) return parseError(`key map ${quote(key)} has no value`);
    if (inner.size > 0) put(values, key, inner);
    return stop;
  }

  #index(): number | ParseStop {
    const { text, stop } = this.#until("]");
    if (stop === undefined) return endOfInput;
    const index = readInteger(text);
    if (index !== undefined) return Number(index);
    const isNumber = /^[-+]?\d+$/.test(text);
    return parseError(`strconv.Atoi: parsing ${quote(text)}: ${isNumber ? "value out of range" : "invalid syntax"}`);
  }

  /** Fills an item of a list. Lists may be nested deeper than the stack allows: `a[0][0][0]=1`. */
  #item(outermost: GoValue[], first: number, nesting: number): Filled {
    const outer: { readonly items: GoValue[]; readonly index: number }[] = [];
    let [items, index] = [outermost, first];
    let found = this.#itemOrInner(items, index, nesting);
    for (; "inner" in found; found = this.#itemOrInner(items, index, nesting)) {
      outer.push({ items, index });
      const known = items[index];
      [items, index] = [known === undefined || known === null ? [] : itemsOf(known), found.inner];
    }
    let filled = found;
    for (const { items: above, index: at } of outer.reverse())
      filled = filled.stop === undefined ? withItem(above, at, anyList(filled.items)) : { items: above, stop: filled.stop };
    return filled;
  }

  /** Fills an item, unless it is a list whose item comes next: then its index. */
  #itemOrInner(items: GoValue[], index: number, nesting: number): Filled | { readonly inner: number } {
    if (index < 0) return { items, stop: parseError(`negative ${index} index not allowed`) };
    const { text, stop } = this.#until("[.=");
    if (text !== "") return { items, stop: parseError(`unexpected data at end of array index: [${[...text].map(quoteRune).join(" ")}]`) };
    if (stop === undefined) return { items, stop: endOfInput };
    if (stop === "[") {
      const inner = this.#index();
      return typeof inner === "number" ? { inner } : { items, stop: wrapStop("error parsing index", inner) };
    }
    if (stop === ".") return this.#keyOfItem(items, index, nesting);
    const read = this.#dialect.read(this.#runes, "item");
    if (read.value === undefined) return { items, ...(read.stop === undefined ? {} : { stop: read.stop }) };
    const filled = withItem(items, index, read.value);
    return filled.stop !== undefined || read.stop === undefined ? filled : { ...filled, stop: read.stop };
  }

  #keyOfItem(items: GoValue[], index: number, nesting: number): Filled {
    const known = items[index];
    const inner = isTable(known) ? known : new GoMap();
    if (index < items.length) items[index] = inner;
    const stop = this.#key(inner, nesting);
    return stop === undefined ? withItem(items, index, inner) : { items, stop };
  }

  #until(stops: string): { readonly text: string; readonly stop: string | undefined } {
    return this.#runes.until(stops, this.#dialect.escapes);
  }
}

function put(values: GoMap, key: string, value: GoValue): void {
  if (key !== "") values.set(key, value);
}

function withItem(items: GoValue[], index: number, value: GoValue): Filled {
  if (index > maxIndex) return { items, stop: parseError(`index of ${index} is greater than maximum supported index of ${maxIndex}`) };
  while (items.length <= index) items.push(null);
  items[index] = value;
  return { items };
}

function isTable(value: GoValue): value is GoMap {
  return value instanceof GoMap && value.type === types.anyMap;
}

/** A copy of a list's items, to be filled. */
function itemsOf(value: GoValue): GoValue[] {
  if (!(value instanceof GoList)) throw new WrongShape(nameOf(value), types.anyList.name);
  return [...value.items];
}

function nameOf(value: GoValue): string {
  return value === null ? "nil" : typeName(value);
}

function quoteRune(rune: string): string {
  const quoted = quote(rune).slice(1, -1);
  return `'${quoted === '\\"' ? '"' : quoted === "'" ? "\\'" : quoted}'`;
}
