import { charge } from "../../core/cost/index.ts";
import { GoList, GoMap, reflectType, int64, anyList, quote, types, type GoValue } from "../template/index.ts";
import { parseGoTime, timeValue, utc } from "../sprig/index.ts";
import { TomlText } from "./text.ts";

const tableList = reflectType("[]map[string]interface {}");

/** A character may be an element of its own. */
const costOfCharacter = 8;

/** How deep arrays and inline tables may be nested: the stack of Go grows, and this one does not. */
const deepest = 1000;

/** Parses a TOML document. Throws a GoError that names the line. */
export function readToml(text: string): GoMap {
  charge(costOfCharacter * text.length);
  return new TomlReader(new TomlText(text)).document();
}

class TomlReader {
  readonly #text: TomlText;
  readonly #root = new GoMap(types.anyMap);
  /** Tables that have a header of their own, and inline tables, which are closed. */
  readonly #defined = new Set<GoMap>();
  readonly #closed = new Set<GoValue>();
  /** The key of the table that lines belong to. */
  #context: readonly string[] = [];
  #depth = 0;

  constructor(text: TomlText) {
    this.#text = text;
  }

  document(): GoMap {
    let table = this.#root;
    for (this.#text.skipBlank(); !this.#text.atEnd; this.#text.skipBlank()) {
      this.#text.lastKey = keyText(this.#context);
      if (this.#text.take("[[")) table = this.#tableInList();
      else if (this.#text.take("[")) table = this.#namedTable();
      else this.#keyValue(table, this.#context);
      this.#text.lastKey = keyText(this.#context);
      this.#text.endOfLine();
    }
    return this.#root;
  }

  #namedTable(): GoMap {
    const key = this.#header();
    const table = this.#reach(this.#root, key);
    if (this.#defined.has(table)) this.#text.fail(`Key '${key.join(".")}' has already been defined.`);
    this.#defined.add(table);
    return table;
  }

  #tableInList(): GoMap {
    const key = this.#header();
    if (!this.#text.take("]")) this.#text.failAt((next) => `expected end of table array name delimiter ']', but got ${next} instead`);
    const parent = this.#reach(this.#root, key.slice(0, -1));
    const name = key.at(-1) ?? "";
    const present = parent.get(name);
    if (present !== undefined && (!(present instanceof GoList) || this.#closed.has(present)))
      return this.#text.fail(`Key '${key.join(".")}' has already been defined.`);
    const table = new GoMap(types.anyMap);
    parent.set(name, new GoList(tableList, [...(present?.items ?? []), table]));
    return table;
  }

  #header(): readonly string[] {
    this.#text.skipSpace();
    if (this.#text.startsWith("]") || this.#text.atEnd) this.#text.fail("unexpected end of table name (table names cannot be empty)");
    if (this.#text.startsWith(".")) this.#text.fail("unexpected table separator (table names cannot be empty)");
    const key = this.#key();
    if (!this.#text.take("]")) this.#text.failAt((next) => `expected '.' or ']' to end table name, but got ${next} instead`);
    this.#context = key;
    this.#text.lastKey = keyText(key.slice(0, -1));
    return key;
  }

  /** The table of a dotted key, created if it is missing. For a list of tables it is the last one. */
  #reach(from: GoMap, key: readonly string[]): GoMap {
    let table = from;
    for (const name of key) {
      const present = table.get(name);
      const next = present instanceof GoList && present.type === tableList ? present.items.at(-1) : present;
      if (next === undefined) {
        const made = new GoMap(types.anyMap);
        table.set(name, made);
        table = made;
      } else if (next instanceof GoMap && !this.#closed.has(next)) table = next;
      else return this.#text.fail(`Key '${key.join(".")}' has already been defined.`);
    }
    return table;
  }

  #keyValue(table: GoMap, context: readonly string[]): void {
    const key = this.#key();
    this.#separator();
    const whole = [...context, ...key];
    const name = key.at(-1) ?? "";
    this.#text.lastKey = [keyText(whole.slice(0, -1)), name].filter((part) => part !== "").join(".");
    const holder = this.#reach(table, key.slice(0, -1));
    const value = this.#value(whole);
    if (holder.has(name)) this.#text.fail(`Key '${keyText(whole)}' has already been defined.`);
    holder.set(name, value);
  }

  #separator(): void {
    if (this.#text.take("=")) return;
    if (this.#text.atEnd) this.#text.fail("unexpected EOF; expected key separator '='");
    this.#text.fail(`expected '.' or '=', but got ${this.#text.next()} instead`);
  }

  #key(): string[] {
    const parts: string[] = [];
    do {
      this.#text.skipSpace();
      parts.push(this.#text.keyPart());
      this.#text.skipSpace();
    } while (this.#text.take("."));
    return parts;
  }

  #value(key: readonly string[]): GoValue {
    this.#text.skipSpace();
    const isArray = this.#text.take("[");
    if (!isArray && !this.#text.take("{")) return this.#text.string() ?? this.#scalar();
    if (++this.#depth > deepest) this.#text.fail(`exceeded max depth of ${deepest}`);
    const value = isArray ? this.#array(key) : this.#inlineTable(key);
    this.#depth--;
    return value;
  }

  #array(key: readonly string[]): GoValue {
    const items: GoValue[] = [];
    for (;;) {
      this.#text.skipBlank();
      if (this.#text.take("]")) break;
      if (this.#text.startsWith(",")) this.#text.fail("unexpected comma");
      items.push(this.#value(key));
      this.#text.skipBlank();
      if (this.#text.take("]")) break;
      if (!this.#text.take(",")) this.#text.fail(`expected a comma (',') or array terminator (']'), but got ${this.#text.next()}`);
    }
    const made = anyList(items);
    this.#closed.add(made);
    return made;
  }

  #inlineTable(key: readonly string[]): GoMap {
    const table = new GoMap(types.anyMap);
    this.#text.skipSpace();
    if (!this.#text.take("}")) {
      do {
        this.#keyValue(table, key);
        this.#text.skipSpace();
      } while (this.#text.take(","));
      if (!this.#text.take("}"))
        this.#text.fail(`expected a comma or an inline table terminator '}', but got ${this.#text.next()} instead`);
    }
    this.#closed.add(table);
    return table;
  }

  #scalar(): GoValue {
    if (this.#text.atEnd) this.#text.fail("unexpected EOF; expected value");
    if (this.#text.startsWith(".")) this.#text.fail("floats must start with a digit, not '.'");
    const shown = this.#text.next();
    const word = this.#text.word();
    if (word === "true" || word === "false") return word === "true";
    const special = /^([+-]?)(inf|nan)$/.exec(word);
    if (special !== null) return special[2] === "nan" ? Number.NaN : special[1] === "-" ? -Infinity : Infinity;
    const based = /^0(x[0-9A-Fa-f]+(_[0-9A-Fa-f]+)*|o[0-7]+(_[0-7]+)*|b[01]+(_[01]+)*)$/.exec(word);
    if (based !== null) return int64(BigInt(word.replaceAll("_", "")));
    if (/^[+-]?(0|[1-9]\d*(_\d+)*)$/.test(word)) return this.#integer(word);
    if (/^[+-]?(0|[1-9]\d*(_\d+)*)(\.\d+(_\d+)*)?([eE][+-]?\d+(_\d+)*)?$/.test(word)) return Number(word.replaceAll("_", ""));
    return timeIn(word) ?? this.#text.fail(scalarComplaint(word, shown));
  }

  #integer(word: string): GoValue {
    const value = BigInt(word.replaceAll("_", "").replace("+", ""));
    return BigInt.asIntN(64, value) === value ? int64(value) : this.#text.fail(`${word} is out of range for int64`);
  }
}

/** A dotted key in messages: parts that are no bare keys are quoted. */
function keyText(key: readonly string[]): string {
  return key.map((part) => (/^[\w-]+$/.test(part) ? part : quote(part))).join(".");
}

/** What is wrong with a value that is none. Models the lexer and parser of BurntSushi/toml. */
function scalarComplaint(word: string, shown: string): string {
  if (/^\d{4}-|^\d\d:/.test(word)) return `invalid datetime: ${quote(word)}`;
  if (/^[+-]$/.test(word)) return "expected a digit but got '\\x00'";
  const type = /^[+-]?\d[\d_]*$/.test(word) ? "integer" : /^[+-]?\d[\d_.eE+-]*$/.test(word) ? "float" : undefined;
  if (type !== undefined) {
    if (/__|_$|_\D|\D_/.test(word)) return `Invalid ${type} ${quote(word)}: underscores must be surrounded by digits`;
    if (/^[+-]?0\d/.test(word)) return `Invalid ${type} ${quote(word)}: cannot have leading zeroes`;
    return `Invalid float ${quote(word)}: '.' must be followed by one or more digits`;
  }
  const letters = /^\p{L}+/u.exec(word)?.[0];
  return `expected value but found ${letters === undefined ? shown : quote(letters)} instead`;
}

const layouts: readonly (readonly [RegExp, string])[] = [
  [/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/, "2006-01-02T15:04:05Z07:00"],
  [/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?$/, "2006-01-02T15:04:05"],
  [/^\d{4}-\d\d-\d\d$/, "2006-01-02"],
  [/^\d\d:\d\d:\d\d(\.\d+)?$/, "15:04:05"],
];

/** A date, a time of day or both. Without an offset it is in UTC. */
function timeIn(word: string): GoValue {
  const written = word.toUpperCase();
  const layout = layouts.find(([form]) => form.test(written))?.[1];
  if (layout === undefined) return undefined;
  try {
    return timeValue(parseGoTime(layout, written, utc));
  } catch {
    // An invalid date or time is not a date.
    return undefined;
  }
}
