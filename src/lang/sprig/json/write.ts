import { charge } from "../../../core/cost/index.ts";
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

/** An element of a collection. Collections may be in others many times, so that what is written is far larger than what there is. */
const costOfElement = 96;

/** Only below this depth is looked for values that contain themselves. Models startDetectCyclesAfter of encoding/json */
const deepestUnchecked = 1000;
/** Models maxNestingDepth of encoding/json */
const deepestRead = 10_000;

/** Marshals JSON as Go's encoding/json does. `<`, `>` and `&` are escaped by default. Throws a GoError with Go's message. */
export function jsonText(value: GoValue, { html = true }: { readonly html?: boolean } = {}): string {
  const own = leafText(value, html);
  return own ?? new JsonWriter(html).write(value);
}

/** A collection that is being written: texts before its elements, and the elements. */
type OpenValue = {
  readonly value: GoValue;
  readonly labels: readonly string[] | undefined;
  readonly elements: readonly GoValue[];
  at: number;
};

class JsonWriter {
  readonly #html: boolean;
  readonly #open: OpenValue[] = [];
  readonly #above = new Set<GoValue>();
  #out = "";

  constructor(html: boolean) {
    this.#html = html;
  }

  write(value: GoValue): string {
    this.#begin(value);
    for (let open = this.#open.at(-1); open !== undefined; open = this.#open.at(-1)) {
      if (open.at === open.elements.length) this.#end(open);
      else this.#element(open, open.at++);
    }
    return this.#out;
  }

  #element({ labels, elements }: OpenValue, at: number): void {
    if (at > 0) this.#out += ",";
    if (labels !== undefined) this.#out += labels[at]!;
    const element = elements[at];
    charge(costOfElement + (typeof element === "string" ? element.length : 0));
    const text = leafText(element, this.#html);
    if (text === undefined) this.#begin(element);
    else this.#out += text;
  }

  #begin(value: GoValue): void {
    let whole = value;
    while (whole instanceof Pointer) {
      whole = whole.target;
      const text = leafText(whole, this.#html);
      if (text === undefined) continue;
      this.#out += text;
      return;
    }
    if (this.#open.length >= deepestUnchecked) {
      if (this.#above.has(whole)) throw new GoError(`json: unsupported value: encountered a cycle via ${typeName(whole)}`);
      this.#above.add(whole);
    }
    const open = opened(whole, this.#html);
    this.#out += open.labels === undefined ? "[" : "{";
    this.#open.push(open);
  }

  #end({ value, labels }: OpenValue): void {
    this.#open.pop();
    if (this.#above.size > 0) this.#above.delete(value);
    this.#out += labels === undefined ? "]" : "}";
  }
}

function opened(value: GoValue, html: boolean): OpenValue {
  if (value instanceof GoList) return { value, labels: undefined, elements: value.items, at: 0 };
  const members = value instanceof GoMap ? membersOf(value) : fieldsOf(value as GoStruct);
  return { value, labels: members.map(([name]) => `${jsonString(name, html)}:`), elements: members.map(([, element]) => element), at: 0 };
}

/** The text of a value that has no elements; undefined for the others. */
function leafText(value: GoValue, html: boolean): string | undefined {
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
      return value === null ? "null" : objectText(value, html);
  }
}

function objectText(value: Exclude<GoValue, null | undefined | string | number | boolean>, html: boolean): string | undefined {
  const own = value instanceof Uint8Array ? undefined : ownText(value, html);
  if (own !== undefined) return own;
  if (value instanceof GoMap || value instanceof GoList || value instanceof Pointer) return value.isNil ? "null" : undefined;
  if (value instanceof GoStruct) return undefined;
  if (value instanceof Integer) return String(value.value);
  if (value instanceof Uint8Array) return `"${Buffer.from(value).toString("base64")}"`;
  if (value instanceof GoScalar) return scalarText(value, html);
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

type Member = readonly [name: string, element: GoValue];

function membersOf(map: GoMap): readonly Member[] {
  if (map.type.key?.kind === "string") return map.sortedKeys().map((key) => [key, map.get(key)]);
  const members = Array.from(map.sortedEntries(), ([key, element]): Member => [keyText(key, map.type), element]);
  return members.sort(([one], [other]) => compareGoStrings(one, other));
}

function keyText(key: GoValue, type: ReflectType): string {
  if (key instanceof Integer) return String(key.value);
  if (typeof key === "string") return key;
  throw new GoError(`json: unsupported type: ${type.name}`);
}

function fieldsOf(struct: GoStruct): readonly Member[] {
  const exported = (struct.type.fields ?? []).filter(({ name }) => /^\p{Lu}/u.test(name));
  return exported.map(({ name }) => [name, struct.field(name)]);
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

/** Indents compact JSON by two spaces per level. Empty brackets stay on one line. Go reads it for that, to the depth of any JSON. */
export function indentedJson(compact: string): string {
  let out = "";
  let depth = 0;
  const line = () => {
    charge(costOfElement + 2 * depth);
    return `\n${"  ".repeat(depth)}`;
  };
  for (const [token] of compact.matchAll(/"(?:[^"\\]|\\.)*"|\{\}|\[\]|[[\]{}:,]|[^[\]{}:,"]+/g)) {
    if (token === "{" || token === "[") {
      if (depth === deepestRead) throw new GoError(`invalid character '${token}' exceeded max depth`);
      out += token;
      depth++;
      out += line();
    } else if (token === "}" || token === "]") {
      depth--;
      out += line() + token;
    } else if (token === ",") out += token + line();
    else out += token === ":" ? ": " : token;
  }
  return out;
}
