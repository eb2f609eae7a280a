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

/** Writes a value as TOML: sorted keys, then tables. Throws a GoError with the messages of BurntSushi/toml. */
export function writeToml(value: GoValue): string {
  if (value === null || value === undefined) throw new GoError("reflect: call of reflect.Value.Type on zero Value");
  const writer = new TomlWriter();
  writer.encode([], behindPointers(value));
  return writer.text;
}

class TomlWriter {
  text = "";

  encode(key: readonly string[], value: GoValue): void {
    if (isNil(value)) return;
    if (isTable(value)) this.#table(key, value);
    else if (isTableList(value)) this.#tables(key, itemsOf(value));
    else if (isWritable(value)) this.#keyValue(key, value);
    else throw new GoError(`unsupported type for key '${key.map(keyText).join(".")}': ${reflectKindOf(value)}`);
  }

  #table(key: readonly string[], table: GoMap | GoStruct): void {
    if (key.length === 1) this.#newline();
    if (key.length > 0) {
      this.text += `${indentOf(key)}[${key.map(keyText).join(".")}]`;
      this.#newline();
    }
    this.#members(key, table);
  }

  #tables(key: readonly string[], tables: readonly GoValue[]): void {
    if (key.length === 0) throw new GoError("toml: top-level values must be Go maps or structs");
    for (const table of tables.map(behindPointers)) {
      if (!isTable(table) || isNil(table)) continue;
      this.#newline();
      this.text += `${indentOf(key)}[[${key.map(keyText).join(".")}]]`;
      this.#newline();
      this.#members(key, table);
    }
  }

  #members(key: readonly string[], table: GoMap | GoStruct): void {
    for (const [name, element] of membersOf(table)) this.encode([...key, name], element);
  }

  #keyValue(key: readonly string[], value: GoValue): void {
    if (key.length === 0) {
      this.text += elementText(value);
      return;
    }
    this.text += `${indentOf(key)}${keyText(key.at(-1) ?? "")} = ${elementText(value)}`;
    this.#newline();
  }

  #newline(): void {
    if (this.text !== "") this.text += "\n";
  }
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

function elementText(value: GoValue): string {
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
  if (value instanceof GoScalar) return typeof value.value === "number" ? numberText(value.value) : elementText(value.value);
  if (value instanceof GoList || value instanceof Uint8Array) return `[${itemsOf(value).map(behindPointers).map(elementText).join(", ")}]`;
  if (isTable(value)) return inlineText(value);
  throw new GoError(`unexpected type: ${reflectKindOf(value)}`);
}

function inlineText(table: GoMap | GoStruct): string {
  return `{${membersOf(table)
    .map(([name, element]) => `${keyText(name)} = ${elementText(element)}`)
    .join(", ")}}`;
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

function indentOf(key: readonly string[]): string {
  return "  ".repeat(key.length - 1);
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
  const items = value.items.map(behindPointers);
  if (items.some(isNil)) throw new GoError("toml: cannot encode array with nil element");
  // Nested lists are checked for nil as well.
  for (const item of items) isTableList(item);
  return items.every(isTable);
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
