import { charge } from "../../../core/cost/index.ts";
import { formatGoFloat } from "../scalar.ts";
import { YamlFault } from "../yaml-fault.ts";
import { binaryText } from "./binary.ts";
import { yamlV2, yamlV3, type YamlDialect } from "./dialect.ts";
import { ScalarEmitter } from "./scalar-emitter.ts";
import { textThroughJson, keyThroughJson } from "./through-json.ts";
import { jsonView, PlainScalar, type YamlView } from "./view.ts";

/** Writes a JSON value as `kubectl -o yaml` does: keys in go-yaml's order, and every string so that it reads back. */
export function writeYaml(value: unknown): string {
  // Parsers disagree on the indent of a block scalar that is the whole document and begins with a space.
  if (typeof value === "string" && /^[ \n]/.test(value))
    return `${new ScalarEmitter(yamlV2, true).emit(value, { column: 0, indent: 2, isKey: true })}\n`;
  return new YamlEmitter(yamlV2, jsonView, { readsBack: true, number: jsonNumber }).document(value);
}

/**
 * Writes a value exactly as Marshal of sigs.k8s.io/yaml does, for Helm's toYaml. It goes through JSON: what JSON cannot
 * represent, or go-yaml cannot read back, is a YamlFault.
 */
export function marshalYaml(value: unknown, view: YamlView = jsonView): string {
  return new YamlEmitter(yamlV2, view, { throughJson: true, number: strictNumber }).document(value);
}

/** Writes a value as the encoder of go-yaml v3 does with an indent of two, for Helm's toYamlPretty. */
export function marshalPretty(value: unknown, view: YamlView = jsonView): string {
  return new YamlEmitter(yamlV3, view, { number: goNumber }).document(value);
}

type WriterOptions = {
  readonly readsBack?: boolean;
  readonly throughJson?: boolean;
  readonly number: (value: number) => string;
};

/** A collection that is being written: the items of a list, or the keys of a map. */
type OpenCollection = {
  readonly value: object;
  readonly entries: readonly unknown[];
  readonly isList: boolean;
  readonly indent: number;
  /** What is before the first entry. */
  readonly first: string;
  at: number;
};

/** Only below this depth is looked for values that contain themselves. */
const deepestUnchecked = 1000;

/** An entry of a collection. Collections may be in others many times, so that what is written is far larger than what there is. */
const costOfEntry = 64;

const isMultiline = /[\n\r\x85\u2028\u2029]/;
const separator = /[\u2028\u2029]$/;
const pads: string[] = [];

/** A line break and an indent. */
function lineAt(indent: number): string {
  return (pads[indent] ??= `\n${" ".repeat(indent)}`);
}

/** What goes through JSON is read again, and the reader takes no more. Models go-yaml */
const deepestThroughJson = 10_000;

/** Appends to its output. Models emitterc.go of go-yaml. */
class YamlEmitter {
  readonly #dialect: YamlDialect;
  readonly #view: YamlView;
  readonly #texts: ScalarEmitter;
  readonly #throughJson: boolean;
  readonly #number: (value: number) => string;
  /** The collections that have begun, the innermost last: a stack of calls would be exhausted by what Helm writes. */
  readonly #open: OpenCollection[] = [];
  readonly #above = new Set<object>();
  #out = "";
  /** The last line ended with a separator that is a line break itself. */
  #isBroken = false;

  constructor(dialect: YamlDialect, view: YamlView, { readsBack = false, throughJson = false, number }: WriterOptions) {
    this.#dialect = dialect;
    this.#view = view;
    this.#texts = new ScalarEmitter(dialect, readsBack);
    this.#throughJson = throughJson;
    this.#number = number;
  }

  document(value: unknown): string {
    this.#inline(value, 0, 2, 0);
    for (let open = this.#open.at(-1); open !== undefined; open = this.#open.at(-1)) {
      if (open.at === open.entries.length) this.#end(open);
      else this.#entry(open, open.at++);
    }
    return this.#isBroken ? this.#out : `${this.#out}\n`;
  }

  /** Emits a value on the current line: a scalar, or a collection that begins on this line. */
  #inline(value: unknown, column: number, textIndent: number, indent: number): void {
    if (!isObject(value)) return this.#scalar(value, column, textIndent);
    const items = this.#view.itemsOf(value);
    if (items !== undefined) {
      if (items.length === 0) this.#out += "[]";
      else this.#begin(value, items, true, indent, "");
      return;
    }
    const keys = this.#view.keysOf(value);
    if (keys === undefined) return this.#inline(this.#view.plainOf(value), column, textIndent, indent);
    if (keys.length === 0) this.#out += "{}";
    else this.#begin(value, this.#inOrder(value, keys), false, indent, "");
  }

  /** Emits the value of a key: a scalar on the same line, a collection on the following ones. */
  #below(value: unknown, column: number, indent: number): void {
    if (!isObject(value)) {
      this.#out += " ";
      return this.#scalar(value, column + 1, indent + 2);
    }
    const items = this.#view.itemsOf(value);
    if (items !== undefined) {
      if (items.length === 0) this.#out += " []";
      else this.#begin(value, items, true, indent + this.#dialect.listIndent, lineAt(indent + this.#dialect.listIndent));
      return;
    }
    const keys = this.#view.keysOf(value);
    if (keys === undefined) return this.#below(this.#view.plainOf(value), column, indent);
    if (keys.length === 0) this.#out += " {}";
    else this.#begin(value, this.#inOrder(value, keys), false, indent + 2, lineAt(indent + 2));
  }

  #begin(value: object, entries: readonly unknown[], isList: boolean, indent: number, first: string): void {
    if (this.#open.length >= deepestUnchecked) {
      if (this.#above.has(value)) throw cycle();
      this.#above.add(value);
    }
    if (this.#throughJson && this.#open.length === deepestThroughJson) throw tooDeep();
    this.#open.push({ value, entries, isList, indent, first, at: 0 });
  }

  #end({ value }: OpenCollection): void {
    this.#open.pop();
    if (this.#above.size > 0) this.#above.delete(value);
  }

  #entry({ value, entries, isList, indent, first }: OpenCollection, at: number): void {
    charge(costOfEntry + indent);
    this.#out += at === 0 ? first : this.#line(indent);
    if (isList) {
      this.#out += "- ";
      this.#inline(entries[at], indent + 2, indent + 2, indent + 2);
    } else {
      const key = entries[at] as string;
      this.#field(key, this.#view.valueAt(value, key), indent);
    }
  }

  #inOrder(map: object, keys: readonly string[]): readonly string[] {
    return this.#view.keepsOrder?.(map) === true ? keys : this.#sorted(keys);
  }

  #sorted(keys: readonly string[]): readonly string[] {
    const compare = this.#dialect.compareKeys;
    for (let at = 1; at < keys.length; at++) if (compare(keys[at - 1]!, keys[at]!) > 0) return keys.toSorted(compare);
    return keys;
  }

  #field(written: string, value: unknown, indent: number): void {
    const key = this.#throughJson ? keyThroughJson(written) : written;
    // Long and multi-line keys need the explicit form `? key`.
    if (isMultiline.test(key) || (key.length > 42 && Buffer.byteLength(key) > 128)) return this.#longField(key, value, indent);
    const name = this.#texts.emit(key, { column: indent, indent, isKey: true });
    this.#out += `${name}:`;
    this.#below(value, indent + widthOf(name) + 1, indent);
  }

  #longField(key: string, value: unknown, indent: number): void {
    this.#out += "? ";
    this.#text(key, indent + 2, indent + 2);
    this.#out += `${this.#line(indent)}: `;
    this.#inline(value, indent + 2, indent + 2, indent + 2);
  }

  #text(text: string, column: number, indent: number): void {
    charge(text.length);
    const isBinary = this.#dialect === yamlV3 && !text.isWellFormed();
    const written = isBinary ? binaryText(text, indent) : this.#texts.emit(text.toWellFormed(), { column, indent, isKey: false });
    this.#isBroken = separator.test(written) && separator.test(text);
    this.#out += written;
  }

  #line(indent: number): string {
    if (!this.#isBroken) return lineAt(indent);
    this.#isBroken = false;
    return " ".repeat(indent);
  }

  #scalar(value: unknown, column: number, indent: number): void {
    if (typeof value === "string") {
      const text = this.#throughJson ? textThroughJson(value) : value;
      this.#text(text, column, indent);
    } else if (typeof value === "number") this.#out += this.#number(value);
    else if (value instanceof PlainScalar) this.#out += value.text;
    else this.#out += value === undefined ? "null" : String(value);
  }
}

function cycle(): YamlFault {
  const problem = "json: unsupported value: encountered a cycle";
  return new YamlFault(`error marshaling into JSON: ${problem}`, problem, 1);
}

function tooDeep(): YamlFault {
  const problem = `yaml: exceeded max depth of ${deepestThroughJson}`;
  return new YamlFault(problem, problem, 1);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !(value instanceof PlainScalar);
}

/** The width in characters. */
function widthOf(text: string): number {
  return /^[\0-\uD7FF]*$/.test(text) ? text.length : [...text].length;
}

/** A number that went through JSON: an integer if its shortest text fits 64 bits, which that of -2^63 does not. */
function jsonNumber(value: number): string {
  if (!Number.isFinite(value)) return "null";
  if (Object.is(value, -0)) return "-0";
  return Number.isInteger(value) && value < 2 ** 64 && value > -(2 ** 63) ? String(value) : formatGoFloat(value, 64);
}

/** Rejects what JSON cannot represent, as encoding/json does. */
function strictNumber(value: number): string {
  if (Number.isFinite(value)) return jsonNumber(value);
  const problem = `json: unsupported value: ${Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf"}`;
  throw new YamlFault(`error marshaling into JSON: ${problem}`, problem, 1);
}

/** A float64 as Go prints it. Integers are bigints. */
function goNumber(value: number): string {
  if (Number.isFinite(value)) return formatGoFloat(value, 64);
  return Number.isNaN(value) ? ".nan" : value > 0 ? ".inf" : "-.inf";
}
