import {
  Complex,
  GoError,
  GoList,
  GoMap,
  GoStruct,
  Integer,
  Pointer,
  GoScalar,
  compareGoStrings,
  fromBytes,
  typeName,
  reflectTypeOf,
  type GoFunction,
  type ReflectType,
  type GoValue,
} from "../../template/index.ts";

/** Deeper values are cyclic. */
const deepest = 1000;

/** Marshals JSON as Go's encoding/json does. `<`, `>` and `&` are escaped by default. Throws a GoError with Go's message. */
export function jsonText(value: GoValue, { html = true }: { readonly html?: boolean } = {}): string {
  return write(value, html, 0);
}

function write(value: GoValue, html: boolean, depth: number): string {
  switch (typeof value) {
    case "string":
      return jsonString(value, html);
    case "number":
      return numberText(value);
    case "boolean":
      return value ? "true" : "false";
    case "undefined":
      return "null";
    default:
      return value === null ? "null" : writeObject(value, html, depth + 1);
  }
}

function writeObject(value: Exclude<GoValue, null | undefined | string | number | boolean>, html: boolean, depth: number): string {
  if (depth > deepest) throw new GoError(`json: unsupported value: encountered a cycle via ${typeName(value)}`);
  const own = value instanceof Uint8Array ? undefined : ownText(value, html);
  if (own !== undefined) return own;
  if (value instanceof GoMap) return value.isNil ? "null" : `{${membersOf(value, html, depth).join(",")}}`;
  if (value instanceof GoList) return value.isNil ? "null" : `[${value.items.map((item) => write(item, html, depth)).join(",")}]`;
  if (value instanceof Integer) return String(value.value);
  if (value instanceof Uint8Array) return `"${Buffer.from(value).toString("base64")}"`;
  if (value instanceof GoScalar) return scalarText(value, html);
  if (value instanceof Pointer) return value.isNil ? "null" : write(value.target, html, depth);
  if (value instanceof GoStruct) return `{${fieldsOf(value, html, depth).join(",")}}`;
  throw new GoError(`json: unsupported ${value instanceof Complex ? "type: complex128" : `type: ${typeName(value)}`}`);
}

/** The text of a type that implements MarshalJSON or MarshalText. */
function ownText(value: Exclude<GoValue, null | undefined | string | number | boolean | Uint8Array>, html: boolean): string | undefined {
  const methods = value instanceof Pointer && value.isNil ? undefined : reflectTypeOf(value)?.methods;
  if (methods === undefined || methods.size === 0) return undefined;
  const json = methods.get("MarshalJSON");
  if (json !== undefined) return calledText(json, value);
  const text = methods.get("MarshalText");
  return text === undefined ? undefined : jsonString(calledText(text, value), html);
}

function calledText(method: GoFunction, receiver: GoValue): string {
  const call: (...parameters: never[]) => GoValue = method.call;
  const written = (call as (receiver: GoValue) => GoValue)(receiver);
  return written instanceof Uint8Array ? fromBytes(written) : "null";
}

function membersOf(map: GoMap, html: boolean, depth: number): string[] {
  if (map.type.key?.kind === "string") return map.sortedKeys().map((key) => `${jsonString(key, html)}:${write(map.get(key), html, depth)}`);
  const entries = Array.from(map.sortedEntries(), ([key, element]) => [keyText(key, map.type), element] as const);
  return entries
    .sort(([one], [other]) => compareGoStrings(one, other))
    .map(([key, element]) => `${jsonString(key, html)}:${write(element, html, depth)}`);
}

function keyText(key: GoValue, type: ReflectType): string {
  if (key instanceof Integer) return String(key.value);
  if (typeof key === "string") return key;
  throw new GoError(`json: unsupported type: ${type.name}`);
}

function fieldsOf(struct: GoStruct, html: boolean, depth: number): string[] {
  const exported = (struct.type.fields ?? []).filter(({ name }) => /^\p{Lu}/u.test(name));
  return exported.map(({ name }) => `${jsonString(name, html)}:${write(struct.field(name), html, depth)}`);
}

function scalarText({ value }: GoScalar, html: boolean): string {
  if (typeof value === "number") return numberText(value);
  return typeof value === "string" ? jsonString(value, html) : String(value);
}

function numberText(value: number): string {
  if (!Number.isFinite(value)) throw new GoError(`json: unsupported value: ${Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf"}`);
  return Object.is(value, -0) ? "-0" : String(value);
}

const lineSeparators = /[\u2028\u2029]/g;
const htmlCharacters = /[<>&\u2028\u2029]/g;

/** Text that needs no escape in either mode. */
const plain = /^[ !#-%'-;=?-[\]-~]*$/;

function jsonString(text: string, html: boolean): string {
  if (plain.test(text)) return `"${text}"`;
  // An invalid byte becomes an escaped replacement character.
  if (!text.isWellFormed())
    return `"${Array.from(text, (character) => (character.isWellFormed() ? inner(character, html) : "\\ufffd")).join("")}"`;
  const quoted = JSON.stringify(text);
  const special = html ? htmlCharacters : lineSeparators;
  return quoted.search(special) < 0 ? quoted : quoted.replaceAll(special, escaped);
}

function inner(character: string, html: boolean): string {
  return jsonString(character, html).slice(1, -1);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Indents compact JSON by two spaces per level. */
export function indentedJson(compact: string): string {
  let out = "";
  let depth = 0;
  const line = () => `\n${"  ".repeat(depth)}`;
  for (const [token] of compact.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^[\]{}:,"]+/g)) {
    if (token === "{" || token === "[") {
      out += token;
      depth++;
      out += line();
    } else if (token === "}" || token === "]") {
      depth--;
      // Empty brackets stay on one line.
      out = /[[{]\n *$/.test(out) ? out.trimEnd() + token : out + line() + token;
    } else if (token === ",") out += token + line();
    else out += token === ":" ? ": " : token;
  }
  return out;
}
