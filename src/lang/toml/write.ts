import {
  GoError,
  GoList,
  GoMap,
  GoStruct,
  Integer,
  Pointer,
  Scalar,
  fromBytes,
  valueText,
  kindOf,
  typeOf,
  wrapped,
  types,
  type GoFunction,
  type Value,
} from "../template/index.ts";

/** Writes a value as TOML: keys in order, tables after everything else. Throws a GoError in the words of BurntSushi/toml. */
export function writeToml(value: Value): string {
  if (value === null || value === undefined) throw new GoError("reflect: call of reflect.Value.Type on zero Value");
  const writer = new TomlWriter();
  writer.encode([], behindPointers(value));
  return writer.text;
}

class TomlWriter {
  text = "";

  encode(key: readonly string[], value: Value): void {
    if (isNil(value)) return;
    if (isTable(value)) this.table(key, value);
    else if (isTableList(value)) this.tables(key, itemsOf(value));
    else if (isWritable(value)) this.keyValue(key, value);
    else throw new GoError(`unsupported type for key '${key.map(keyText).join(".")}': ${kindOf(value)}`);
  }

  private table(key: readonly string[], table: GoMap | GoStruct): void {
    if (key.length === 1) this.newline();
    if (key.length > 0) {
      this.text += `${indentOf(key)}[${key.map(keyText).join(".")}]`;
      this.newline();
    }
    this.members(key, table);
  }

  private tables(key: readonly string[], tables: readonly Value[]): void {
    if (key.length === 0) throw new GoError("toml: top-level values must be Go maps or structs");
    for (const table of tables.map(behindPointers)) {
      if (!isTable(table) || isNil(table)) continue;
      this.newline();
      this.text += `${indentOf(key)}[[${key.map(keyText).join(".")}]]`;
      this.newline();
      this.members(key, table);
    }
  }

  private members(key: readonly string[], table: GoMap | GoStruct): void {
    for (const [name, element] of membersOf(table)) this.encode([...key, name], element);
  }

  private keyValue(key: readonly string[], value: Value): void {
    if (key.length === 0) {
      this.text += elementText(value);
      return;
    }
    this.text += `${indentOf(key)}${keyText(key.at(-1) ?? "")} = ${elementText(value)}`;
    this.newline();
  }

  private newline(): void {
    if (this.text !== "") this.text += "\n";
  }
}

/** Tables come after everything else, each kind by its name; what is nil is left out. */
function membersOf(table: GoMap | GoStruct): [string, Value][] {
  const all = table instanceof GoMap ? mapMembers(table) : structMembers(table);
  const members = all.map(([name, element]): [string, Value] => [name, behindPointers(element)]);
  return [...members.filter((member) => !isSub(member)), ...members.filter(isSub)].filter(([, element]) => !isNil(element));
}

function isSub([, element]: [string, Value]): boolean {
  return !isNil(element) && (isTable(element) || isTableList(element));
}

function mapMembers(map: GoMap): [string, Value][] {
  if (map.type.key?.kind !== "string") throw new GoError("toml: cannot encode a map with non-string key type");
  return map.sortedKeys().map((key): [string, Value] => [key, map.get(key)]);
}

function structMembers(struct: GoStruct): [string, Value][] {
  const exported = (struct.type.fields ?? []).filter(({ name }) => /^\p{Lu}/u.test(name));
  return exported.map(({ name }): [string, Value] => [name, struct.field(name)]);
}

function elementText(value: Value): string {
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
  if (value instanceof Scalar) return typeof value.value === "number" ? numberText(value.value) : elementText(value.value);
  if (value instanceof GoList || value instanceof Uint8Array) return `[${itemsOf(value).map(behindPointers).map(elementText).join(", ")}]`;
  if (isTable(value)) return inlineText(value);
  throw new GoError(`unexpected type: ${kindOf(value)}`);
}

function inlineText(table: GoMap | GoStruct): string {
  return `{${membersOf(table)
    .map(([name, element]) => `${keyText(name)} = ${elementText(element)}`)
    .join(", ")}}`;
}

/** A time is written bare, a duration and what else has a text of its own in quotes. */
function ownText(value: Value): string | undefined {
  const type = typeOf(value);
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

function called(method: GoFunction, receiver: Value): Value {
  return (method.call as (receiver: Value) => Value)(receiver);
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value < 0 ? "-inf" : "inf";
  const text = valueText(value);
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

function behindPointers(value: Value): Value {
  return value instanceof Pointer && !value.isNil && !hasOwnText(value) ? behindPointers(value.target) : value;
}

function hasOwnText(value: Value): boolean {
  return typeOf(value)?.methods.has("MarshalText") ?? false;
}

function isNil(value: Value): boolean {
  if (value === null || value === undefined) return true;
  return (value instanceof GoMap || value instanceof GoList || value instanceof Pointer) && value.isNil;
}

function isTable(value: Value): value is GoMap | GoStruct {
  return (value instanceof GoMap || value instanceof GoStruct) && !hasOwnText(value);
}

function isTableList(value: Value): value is GoList {
  if (!(value instanceof GoList) || value.isNil || value.length === 0) return false;
  const items = value.items.map(behindPointers);
  if (items.some(isNil)) throw new GoError("toml: cannot encode array with nil element");
  // Lists in lists are looked through for nil as well.
  for (const item of items) isTableList(item);
  return items.every(isTable);
}

function itemsOf(value: GoList | Uint8Array): readonly Value[] {
  return value instanceof GoList ? value.items : Array.from(value, (byte) => wrapped(types.uint8, byte));
}

function isWritable(value: Value): boolean {
  return (
    typeof value !== "object" ||
    value instanceof GoList ||
    value instanceof Uint8Array ||
    value instanceof Integer ||
    value instanceof Scalar ||
    hasOwnText(value)
  );
}
