import { EVENT_ID, getScalarValue, SCALAR_STYLE, type Event, type MappingEvent, type ScalarEvent, type SequenceEvent } from "js-yaml";
import { isExactInteger, put, type Draft } from "../object/index.ts";
import { floatText, resolvePlain, type Scalar } from "./scalar.ts";

/** Something wrong with a document, at an offset of its text. */
export class Misread extends Error {
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.name = "Misread";
    this.offset = offset;
  }
}

type Properties = { anchorStart: number; anchorEnd: number; tagStart: number; tagEnd: number };
type Anchor = { value: unknown; nodes: number };

/** Beyond this many nodes brought in by aliases a document is taken for an attack. Real ones stay far below. */
const mostAliasedNodes = 1_000_000;

/**
 * Builds the value of one document as sigs.k8s.io/yaml does: keys become strings, tags that are not known are ignored,
 * a merge key takes effect where it stands. Aliases share one value, which is safe since values are never changed.
 */
export class Composer {
  readonly #text: string;
  readonly #events: readonly Event[];
  readonly #duplicateKeys: "refused" | "last wins";
  readonly #anchors = new Map<string, Anchor | undefined>();
  #at: number;
  #nodes = 0;
  #aliased = 0;
  #offset = 0;

  constructor(text: string, events: readonly Event[], options: { at: number; duplicateKeys: "refused" | "last wins" }) {
    this.#text = text;
    this.#events = events;
    this.#at = options.at;
    this.#duplicateKeys = options.duplicateKeys;
  }

  /** The value of the node at the current event, which is passed by. */
  value(): unknown {
    const event = this.#events[this.#at++]!;
    this.#nodes++;
    switch (event.type) {
      case EVENT_ID.SCALAR:
        return this.#anchored(event, () => this.#scalar(event));
      case EVENT_ID.SEQUENCE:
        return this.#anchored(event, () => this.#sequence(event));
      case EVENT_ID.MAPPING:
        return this.#anchored(event, () => this.#mapping(event));
      case EVENT_ID.ALIAS:
        return this.#alias(event);
      default:
        throw new Misread(this.#offset, "the document ends too early");
    }
  }

  #anchored(event: Properties, compose: () => unknown): unknown {
    if (event.anchorStart < 0) return compose();
    const name = this.#text.slice(event.anchorStart, event.anchorEnd);
    const before = this.#nodes;
    this.#anchors.set(name, undefined);
    const value = compose();
    this.#anchors.set(name, { value, nodes: this.#nodes - before + 1 });
    return value;
  }

  #alias({ anchorStart, anchorEnd }: { anchorStart: number; anchorEnd: number }): unknown {
    this.#offset = anchorStart;
    const name = this.#text.slice(anchorStart, anchorEnd);
    const anchor = this.#anchors.get(name);
    if (anchor === undefined)
      throw new Misread(
        anchorStart,
        this.#anchors.has(name) ? `anchor "${name}" contains itself` : `alias *${name} refers to no anchor; expected &${name} before it`,
      );
    this.#nodes += anchor.nodes;
    this.#aliased += anchor.nodes;
    if (this.#aliased > mostAliasedNodes)
      throw new Misread(anchorStart, "the document expands to too much by aliases; expected it to be written out");
    return anchor.value;
  }

  #sequence(event: SequenceEvent): unknown[] {
    this.#offset = event.start;
    const list: unknown[] = [];
    while (this.#events[this.#at]!.type !== EVENT_ID.POP) list.push(this.value());
    this.#at++;
    return list;
  }

  #mapping(event: MappingEvent): Draft {
    this.#offset = event.start;
    const fields: Draft = {};
    const written = new Set<string>();
    while (this.#events[this.#at]!.type !== EVENT_ID.POP) {
      const key = this.#events[this.#at]!;
      if (this.#isMerge(key)) this.#merge(fields);
      else this.#pair(fields, written);
    }
    this.#at++;
    return fields;
  }

  #pair(fields: Draft, written: Set<string>): void {
    const key = this.value();
    const offset = this.#offset;
    const name = this.#keyText(key);
    if (this.#duplicateKeys === "refused" && written.has(name))
      throw new Misread(offset, `key ${JSON.stringify(name)} is set twice in one object; expected it once`);
    written.add(name);
    put(fields, name, this.value());
  }

  #isMerge(event: Event): boolean {
    if (event.type !== EVENT_ID.SCALAR || event.style !== SCALAR_STYLE.PLAIN) return false;
    if (event.valueEnd - event.valueStart !== 2 || !this.#text.startsWith("<<", event.valueStart)) return false;
    return event.tagStart < 0 || this.#tagOf(event) === "merge";
  }

  /** Of a list of objects the first that has a key gives it. Models decode.go merge, which goes through the list backwards. */
  #merge(fields: Draft): void {
    this.#at++;
    const offset = this.#offset;
    const source = this.value();
    const sources: readonly unknown[] = Array.isArray(source) ? source : [source];
    for (const one of sources.toReversed()) {
      if (typeof one !== "object" || one === null || Array.isArray(one))
        throw new Misread(offset, "a merge key << holds something else than objects; expected an object or a list of objects");
      for (const [key, value] of Object.entries(one)) put(fields, key, value);
    }
  }

  #keyText(key: unknown): string {
    if (typeof key === "string") return key;
    if (typeof key === "number") return Number.isInteger(key) && Math.abs(key) < 1e21 ? String(key) : floatText(key, 32);
    if (typeof key === "boolean") return String(key);
    if (isExactInteger(key)) return key.rawJSON;
    throw new Misread(this.#offset, `a key is ${key === null ? "null" : "a list or an object"}; expected a string`);
  }

  #scalar(event: ScalarEvent): Scalar {
    if (event.valueStart >= 0) this.#offset = event.valueStart;
    const text = getScalarValue(this.#text, event);
    if (event.tagStart >= 0) return this.#tagged(text, event);
    if (event.style !== SCALAR_STYLE.PLAIN) return text;
    return this.#finite(resolvePlain(text), text);
  }

  #tagged(text: string, event: ScalarEvent): Scalar {
    const tag = this.#tagOf(event);
    if (tag === "binary") return Buffer.from(text, "base64").toString();
    if (!["int", "float", "bool", "null"].includes(tag)) return text;
    const value = this.#finite(resolvePlain(text), text);
    const found = typeOf(value);
    if (found !== tag && !(tag === "float" && found === "int"))
      throw new Misread(this.#offset, `${JSON.stringify(text)} is tagged !!${tag}; expected ${expectedFor(tag)}`);
    return value;
  }

  /** The name of a tag of YAML's own (`!!str`, `!<tag:yaml.org,2002:str>`); empty for others. */
  #tagOf({ tagStart, tagEnd }: Properties): string {
    const [, name] = /^(?:!!|!<tag:yaml\.org,2002:)([^>]*)>?$/.exec(this.#text.slice(tagStart, tagEnd)) ?? [];
    return name ?? "";
  }

  #finite(value: Scalar, text: string): Scalar {
    if (typeof value === "number" && !Number.isFinite(value))
      throw new Misread(this.#offset, `${text} is a number that JSON does not have; expected a finite number, or quote it`);
    return value;
  }
}

function typeOf(value: Scalar): string {
  if (value === null) return "null";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "string") return "str";
  return typeof value === "number" && !Number.isInteger(value) ? "float" : "int";
}

function expectedFor(tag: string): string {
  if (tag === "null") return "nothing or null";
  return tag === "bool" ? "true or false" : tag === "int" ? "an integer" : "a number";
}
