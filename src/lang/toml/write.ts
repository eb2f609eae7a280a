import { charge } from "../../core/cost/index.ts";
import {
  GoError,
  GoList,
  GoMap,
  GoStruct,
  Integer,
  Pointer,
  GoScalar,
  fromBytes,
  sprintValue,
  reflectKindOf,
  reflectTypeOf,
  wrapInteger,
  types,
  type GoFunction,
  type GoValue,
} from "../template/index.ts";

/** A value that contains itself is deeper. Go exhausts its stack on it. */
const deepest = 100_000;

/** Writes a value as TOML: sorted keys, then tables. Throws a GoError with the messages of BurntSushi/toml. */
export function writeToml(value: GoValue): string {
  if (value === null || value === undefined) throw new GoError("reflect: call of reflect.Value.Type on zero Value");
  const writer = new TomlWriter();
  writer.encode(behindPointers(value));
  return writer.text;
}

/** An element of a collection. Collections may be in others many times, so that what is written is far larger than what there is. */
const costOfElement = 96;

/** The key of a value, as its table's header has it. */
type TomlKey = {
  readonly name: string;
  readonly path: string;
  readonly depth: number;
  /** The table that it is in, and the key of that. */
  readonly inside?: { readonly table: GoValue; readonly key: TomlKey };
};

const root: TomlKey = { name: "", path: "", depth: 0 };

/** What is yet to be written: a value, or a table that is an item of a list. */
type Pending = { readonly key: TomlKey; readonly value: GoValue; readonly isItem: boolean };

class TomlWriter {
  text = "";
  /** The next one last. Tables may be nested deeper than the stack allows. */
  readonly #pending: Pending[] = [];

  encode(value: GoValue): void {
    this.#pending.push({ key: root, value, isItem: false });
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) {
      // Every thousandth level is enough to end a value that contains itself, and keeps the check cheap.
      if (next.key.depth % 1000 === 999 && isInside(next.value, next.key)) throw containsItself();
      this.#write(next);
    }
  }

  #write({ key, value, isItem }: Pending): void {
    charge(costOfElement + 2 * key.depth + key.path.length);
    if (isNil(value)) return;
    if (isTable(value)) this.#table(key, value, isItem);
    else if (isItem) return;
    else if (isTableList(value)) this.#tables(key, itemsOf(value));
    else if (isWritable(value)) this.#keyValue(key, value);
    else throw new GoError(`unsupported type for key '${key.path}': ${reflectKindOf(value)}`);
  }

  #table(key: TomlKey, table: GoMap | GoStruct, isItem: boolean): void {
    if (isItem || key.depth === 1) this.#newline();
    if (key.depth > 0) {
      this.text += `${indentOf(key)}${isItem ? `[[${key.path}]]` : `[${key.path}]`}`;
      this.#newline();
    }
    for (const [name, value] of membersOf(table).reverse()) this.#pending.push({ key: keyBelow(key, name, table), value, isItem: false });
  }

  #tables(key: TomlKey, tables: readonly GoValue[]): void {
    if (key.depth === 0) throw new GoError("toml: top-level values must be Go maps or structs");
    for (const table of tables.toReversed()) this.#pending.push({ key, value: behindPointers(table), isItem: true });
  }

  #keyValue(key: TomlKey, value: GoValue): void {
    if (key.depth === 0) {
      this.text += elementText(value);
      return;
    }
    this.text += `${indentOf(key)}${keyText(key.name)} = ${elementText(value)}`;
    this.#newline();
  }

  #newline(): void {
    if (this.text !== "") this.text += "\n";
  }
}

function keyBelow(key: TomlKey, name: string, table: GoValue): TomlKey {
  const path = key.depth === 0 ? keyText(name) : `${key.path}.${keyText(name)}`;
  return { name, path, depth: key.depth + 1, inside: { table, key } };
}

function isInside(value: GoValue, { inside }: TomlKey): boolean {
  for (let above = inside; above !== undefined; above = above.key.inside) if (above.table === value) return true;
  return false;
}

function containsItself(): GoError {
  return new GoError("a value that contains itself cannot be written as TOML");
}

/** The members of a table: plain values, then tables, each by name. Nil is left out. */
function membersOf(table: GoMap | GoStruct): [string, GoValue][] {
  const all = table instanceof GoMap ? mapMembers(table) : structMembers(table);
  const members = all.map(([name, element]): [string, GoValue] => [name, behindPointers(element)]);
  return [...members.filter((member) => !isSub(member)), ...members.filter(isSub)].filter(([, element]) => !isNil(element));
}

function isSub([, element]: [string, GoValue]): boolean {
  return !isNil(element) && (isTable(element) || isTableList(element));
}

function mapMembers(map: GoMap): [string, GoValue][] {
  if (map.type.key?.kind !== "string") throw new GoError("toml: cannot encode a map with non-string key type");
  return map.sortedKeys().map((key): [string, GoValue] => [key, map.get(key)]);
}

function structMembers(struct: GoStruct): [string, GoValue][] {
  const exported = (struct.type.fields ?? []).filter(({ name }) => /^\p{Lu}/u.test(name));
  return exported.map(({ name }): [string, GoValue] => [name, struct.field(name)]);
}

/** A list or an inline table that is being written. */
type OpenElement = { readonly labels?: readonly string[]; readonly elements: readonly GoValue[]; readonly closing: string; at: number };

/** A value on one line. What is in it may be nested deeper than the stack allows. */
function elementText(value: GoValue): string {
  const open: OpenElement[] = [];
  let text = begun(value, open);
  for (let inner = open.at(-1); inner !== undefined; inner = open.at(-1)) {
    const { labels, elements, at } = inner;
    if (at === elements.length) {
      text += inner.closing;
      open.pop();
      continue;
    }
    inner.at++;
    const element = elements[at];
    charge(costOfElement + (typeof element === "string" ? 4 * element.length : 0));
    text += `${at > 0 ? ", " : ""}${labels?.[at] ?? ""}${begun(elements[at], open)}`;
    if (open.length > deepest) throw containsItself();
  }
  return text;
}

/** The text of a value, or the beginning of that of a list or an inline table, which is then open. */
function begun(value: GoValue, open: OpenElement[]): string {
  if (value instanceof GoList || value instanceof Uint8Array) {
    if (hasOwnText(value)) return scalarText(value);
    open.push({ elements: itemsOf(value).map(behindPointers), closing: "]", at: 0 });
    return "[";
  }
  if (!isTable(value)) return scalarText(value);
  const members = membersOf(value);
  open.push({
    labels: members.map(([name]) => `${keyText(name)} = `),
    elements: members.map(([, element]) => element),
    closing: "}",
    at: 0,
  });
  return "{";
}

function scalarText(value: GoValue): string {
  const own = ownText(value);
  if (own !== undefined) return own;
  switch (typeof value) {
    case "string":
      return quoted(value);
    case "boolean":
      return String(value);
    case "number":
      return numberText(value);
    default:
  }
  if (value instanceof Integer) return String(value.value);
  if (value instanceof GoScalar) return typeof value.value === "number" ? numberText(value.value) : scalarText(value.value);
  throw new GoError(`unexpected type: ${reflectKindOf(value)}`);
}

/** Times are bare; durations and other values with a MarshalText method are quoted. */
function ownText(value: GoValue): string | undefined {
  const type = reflectTypeOf(value);
  if (type === undefined || type.methods.size === 0) return undefined;
  const marshal = type.methods.get("MarshalText");
  if (marshal === undefined) {
    const text = type.name === "time.Duration" ? type.methods.get("String") : undefined;
    return text === undefined ? undefined : quoted(String(called(text, value)));
  }
  const written = called(marshal, value);
  const text = written instanceof Uint8Array ? fromBytes(written) : "";
  return type.name === "time.Time" ? text : quoted(text);
}

function called(method: GoFunction, receiver: GoValue): GoValue {
  return (method.call as (receiver: GoValue) => GoValue)(receiver);
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value < 0 ? "-inf" : "inf";
  const text = sprintValue(value);
  return /[e.]/.test(text) ? text : `${text}.0`;
}

const shortEscapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\f": "\\f",
  "\r": "\\r",
};

function quoted(text: string): string {
  return `"${Array.from(text, escaped).join("")}"`;
}

function escaped(character: string): string {
  const short = shortEscapes[character];
  if (short !== undefined) return short;
  const code = character.charCodeAt(0);
  return code < 0x20 || code === 0x7f ? `\\u${code.toString(16).padStart(4, "0")}` : character;
}

function keyText(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : quoted(key);
}

function indentOf({ depth }: TomlKey): string {
  return "  ".repeat(depth - 1);
}

function behindPointers(value: GoValue): GoValue {
  return value instanceof Pointer && !value.isNil && !hasOwnText(value) ? behindPointers(value.target) : value;
}

function hasOwnText(value: GoValue): boolean {
  return reflectTypeOf(value)?.methods.has("MarshalText") ?? false;
}

function isNil(value: GoValue): boolean {
  if (value === null || value === undefined) return true;
  return (value instanceof GoMap || value instanceof GoList || value instanceof Pointer) && value.isNil;
}

function isTable(value: GoValue): value is GoMap | GoStruct {
  return (value instanceof GoMap || value instanceof GoStruct) && !hasOwnText(value);
}

function isTableList(value: GoValue): value is GoList {
  if (!(value instanceof GoList) || value.isNil || value.length === 0) return false;
  checkItems(value);
  return value.items.map(behindPointers).every(isTable);
}

/** Throws when a list, or one inside of it, has an item that is nil. */
function checkItems(list: GoList): void {
  const pending = [list];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    charge(costOfElement * next.items.length);
    const items = next.items.map(behindPointers);
    if (items.some(isNil)) throw new GoError("toml: cannot encode array with nil element");
    for (const item of items) if (item instanceof GoList) pending.push(item);
  }
}

function itemsOf(value: GoList | Uint8Array): readonly GoValue[] {
  return value instanceof GoList ? value.items : Array.from(value, (byte) => wrapInteger(types.uint8, byte));
}

function isWritable(value: GoValue): boolean {
  return (
    typeof value !== "object" ||
    value instanceof GoList ||
    value instanceof Uint8Array ||
    value instanceof Integer ||
    value instanceof GoScalar ||
    hasOwnText(value)
  );
}
