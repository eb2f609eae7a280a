import { GoList, GoMap, reflectType, int64, anyList, types, type GoValue } from "../template/index.ts";
import { parseGoTime, timeValue, utc } from "../sprig/index.ts";
import { TomlText } from "./text.ts";

const tableList = reflectType("[]map[string]interface {}");

/** Parses a TOML document. Throws a GoError that names the line. */
export function readToml(text: string): GoMap {
  return new TomlReader(new TomlText(text)).document();
}

class TomlReader {
  readonly #text: TomlText;
  readonly #root = new GoMap(types.anyMap);
  /** Tables that have a header of their own, and inline tables, which are closed. */
  readonly #defined = new Set<GoMap>();
  readonly #closed = new Set<GoValue>();

  constructor(text: TomlText) {
    this.#text = text;
  }

  document(): GoMap {
    let table = this.#root;
    for (this.#text.skipBlank(); !this.#text.atEnd; this.#text.skipBlank()) {
      if (this.#text.take("[[")) table = this.#tableInList();
      else if (this.#text.take("[")) table = this.#namedTable();
      else this.#keyValue(table);
      this.#text.endOfLine();
    }
    return this.#root;
  }

  #namedTable(): GoMap {
    const key = this.#key();
    this.#text.expect("]");
    const table = this.#reach(this.#root, key);
    if (this.#defined.has(table)) this.#text.fail(`Key '${key.join(".")}' has already been defined.`);
    this.#defined.add(table);
    return table;
  }

  #tableInList(): GoMap {
    const key = this.#key();
    this.#text.expect("]]");
    const parent = this.#reach(this.#root, key.slice(0, -1));
    const name = key.at(-1) ?? "";
    const present = parent.get(name);
    if (present !== undefined && (!(present instanceof GoList) || this.#closed.has(present)))
      return this.#text.fail(`Key '${key.join(".")}' has already been defined.`);
    const table = new GoMap(types.anyMap);
    parent.set(name, new GoList(tableList, [...(present?.items ?? []), table]));
    return table;
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

  #keyValue(table: GoMap): void {
    const key = this.#key();
    this.#text.expect("=");
    const holder = this.#reach(table, key.slice(0, -1));
    const name = key.at(-1) ?? "";
    if (holder.has(name)) this.#text.fail(`Key '${key.join(".")}' has already been defined.`);
    holder.set(name, this.#value());
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

  #value(): GoValue {
    this.#text.skipSpace();
    if (this.#text.take("[")) return this.#array();
    if (this.#text.take("{")) return this.#inlineTable();
    return this.#text.string() ?? this.#scalar();
  }

  #array(): GoValue {
    const items: GoValue[] = [];
    for (;;) {
      this.#text.skipBlank();
      if (this.#text.take("]")) break;
      items.push(this.#value());
      this.#text.skipBlank();
      if (this.#text.take("]")) break;
      this.#text.expect(",");
    }
    const made = anyList(items);
    this.#closed.add(made);
    return made;
  }

  #inlineTable(): GoMap {
    const table = new GoMap(types.anyMap);
    this.#text.skipSpace();
    if (!this.#text.take("}")) {
      do {
        this.#keyValue(table);
        this.#text.skipSpace();
      } while (this.#text.take(","));
      this.#text.expect("}");
    }
    this.#closed.add(table);
    return table;
  }

  #scalar(): GoValue {
    const word = this.#text.word();
    if (word === "true" || word === "false") return word === "true";
    const special = /^([+-]?)(inf|nan)$/.exec(word);
    if (special !== null) return special[2] === "nan" ? Number.NaN : special[1] === "-" ? -Infinity : Infinity;
    const based = /^0(x[0-9A-Fa-f]+(_[0-9A-Fa-f]+)*|o[0-7]+(_[0-7]+)*|b[01]+(_[01]+)*)$/.exec(word);
    if (based !== null) return int64(BigInt(word.replaceAll("_", "")));
    if (/^[+-]?(0|[1-9]\d*(_\d+)*)$/.test(word)) return int64(BigInt(word.replaceAll("_", "").replace("+", "")));
    if (/^[+-]?(0|[1-9]\d*(_\d+)*)(\.\d+(_\d+)*)?([eE][+-]?\d+(_\d+)*)?$/.test(word)) return Number(word.replaceAll("_", ""));
    return timeIn(word) ?? this.#text.fail(word === "" ? "expected value" : `expected value but found '${word}' instead`);
  }
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
