import { charge } from "../../../core/cost/index.ts";
import { GoError, GoMap, anyList, types, type GoValue, quote as quoteText } from "../../template/index.ts";

const deepest = 10_000;
/** A character may be an element of its own. */
const costOfCharacter = 8;

/** Parses JSON as Go's encoding/json does into an `interface {}`. Throws a GoError with Go's message. */
export function parseJson(text: string): GoValue {
  charge(costOfCharacter * text.length);
  const reader = new JsonReader(text);
  const value = reader.value();
  reader.end();
  return value;
}

const punctuation: Readonly<Record<string, string>> = { n: "null", t: "true", f: "false" };
const literals: Readonly<Record<string, GoValue>> = { null: null, true: true, false: false };

/** A collection that has begun: the items of an array, or the key of the element that is being read. */
type OpenCollection = { readonly collection: GoValue; readonly items: GoValue[]; key: string };

class JsonReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** A value with all inside it: collections that have begun are in a list, the innermost last. */
  value(): GoValue {
    const open: OpenCollection[] = [];
    for (;;) {
      let value = this.#begin(open);
      if (value === undefined) continue;
      for (let around = open.at(-1); ; around = open.at(-1)) {
        if (around === undefined) return value;
        if (!this.#add(around, value)) break;
        open.pop();
        value = around.collection;
      }
    }
  }

  /** The next value; undefined if it is a collection with elements, which has begun. */
  #begin(open: OpenCollection[]): GoValue {
    this.#space();
    const character = this.#text[this.#at];
    if (character === '"') return this.#string();
    if (character === "{" || character === "[") return this.#collection(character === "{", open);
    if (character === "-" || isDigit(character)) return this.#number();
    const word = character === undefined ? undefined : punctuation[character];
    return word === undefined ? this.#fail("looking for beginning of value") : this.#literal(word);
  }

  #collection(isObject: boolean, open: OpenCollection[]): GoValue {
    if (open.length >= deepest) this.#fail("exceeded max depth");
    this.#at++;
    this.#space();
    const items: GoValue[] = [];
    const collection = isObject ? new GoMap(types.anyMap) : anyList(items);
    if (this.#take(isObject ? "}" : "]")) return collection;
    open.push({ collection, items, key: isObject ? this.#key() : "" });
    return undefined;
  }

  #key(): string {
    this.#space();
    if (this.#text[this.#at] !== '"') this.#fail("looking for beginning of object key string");
    const key = this.#string();
    this.#space();
    if (!this.#take(":")) this.#fail("after object key");
    return key;
  }

  /** Adds an element. Returns whether it is the last one. */
  #add(open: OpenCollection, element: GoValue): boolean {
    const { collection, items, key } = open;
    this.#space();
    if (!(collection instanceof GoMap)) {
      items.push(element);
      if (this.#take("]")) return true;
      if (!this.#take(",")) this.#fail("after array element");
      return false;
    }
    collection.set(key, element);
    if (this.#take("}")) return true;
    if (!this.#take(",")) this.#fail("after object key:value pair");
    open.key = this.#key();
    return false;
  }

  end(): void {
    this.#space();
    if (this.#at < this.#text.length) this.#fail("after top-level value");
  }

  #literal(word: string): GoValue {
    for (let index = 0; index < word.length; index++, this.#at++) {
      if (this.#text[this.#at] !== word[index]) this.#fail(`in literal ${word} (expecting ${quoteCharacter(word[index]!)})`);
    }
    return literals[word];
  }

  #number(): number {
    const start = this.#at;
    if (this.#take("-") && !isDigit(this.#text[this.#at])) this.#fail("in numeric literal");
    if (!this.#take("0")) this.#digits();
    if (this.#take(".")) {
      if (!isDigit(this.#text[this.#at])) this.#fail("after decimal point in numeric literal");
      this.#digits();
    }
    if (this.#take("e") || this.#take("E")) {
      if (!this.#take("+")) this.#take("-");
      if (!isDigit(this.#text[this.#at])) this.#fail("in exponent of numeric literal");
      this.#digits();
    }
    const written = this.#text.slice(start, this.#at);
    const value = Number(written);
    if (!Number.isFinite(value)) throw new GoError(`json: cannot unmarshal number ${written} into Go value of type float64`);
    return value;
  }

  #digits(): void {
    while (isDigit(this.#text[this.#at])) this.#at++;
  }

  #string(): string {
    const start = ++this.#at;
    for (; this.#text[this.#at] !== '"'; this.#at++) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === 0x5c) this.#escape();
      else if (!(code >= 0x20)) this.#fail("in string literal");
    }
    const inside = this.#text.slice(start, this.#at++);
    const read: unknown = inside.includes("\\") ? JSON.parse(`"${inside}"`) : inside;
    // Lone surrogates and invalid bytes become the replacement character.
    return String(read).toWellFormed();
  }

  #escape(): void {
    this.#at++;
    const character = this.#text[this.#at];
    if (character === "u") {
      for (let index = 0; index < 4; index++) {
        this.#at++;
        if (!/^[0-9a-fA-F]$/.test(this.#text[this.#at] ?? "")) this.#fail("in \\u hexadecimal character escape");
      }
    } else if (character === undefined || !'bfnrt\\/"'.includes(character)) this.#fail("in string escape code");
  }

  #space(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d) return;
      this.#at++;
    }
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #fail(where: string): never {
    if (this.#at >= this.#text.length) throw new GoError("unexpected end of JSON input");
    const [first = 0] = Buffer.from(String.fromCodePoint(this.#text.codePointAt(this.#at)!));
    const raw = this.#text.charCodeAt(this.#at);
    const byte = raw >= 0xdc80 && raw <= 0xdcff ? raw - 0xdc00 : first;
    throw new GoError(`invalid character ${quoteCharacter(String.fromCharCode(byte))} ${where}`);
  }
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= "0" && character <= "9";
}

function quoteCharacter(character: string): string {
  if (character === "'") return "'\\''";
  return character === '"' ? `'"'` : `'${quoteText(character).slice(1, -1)}'`;
}
