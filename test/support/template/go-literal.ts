import {
  GoList,
  GoMap,
  GoStruct,
  Integer,
  Pointer,
  reflectType,
  int,
  namedType,
  structType,
  types,
  type ReflectType,
  type GoValue,
} from "../../../src/lang/template/index.ts";
import { timeValue, utc } from "../../../src/lang/sprig/index.ts";

/** The struct that Sprig's own tests use. */
const fixture = namedType("sprig.fixtureTO", structType({ Name: types.string, Value: types.string }));
const credentials = namedType("sprig.HtpasswdCred", structType({ Username: types.string, Password: types.string, Valid: types.bool }));
const scope: Readonly<Record<string, ReflectType>> = { "sprig.fixtureTO": fixture, "sprig.HtpasswdCred": credentials };

/** Parses Go's `%#v` output. */
export function goLiteral(text: string): GoValue {
  const reader = new LiteralReader(text);
  return reader.value(types.any);
}

class LiteralReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(wanted: ReflectType): GoValue {
    if (this.#take("<nil>") || this.#take("interface {}(nil)") || this.#take("nil")) return null;
    if (this.#take("time.Date(")) return this.#date();
    const quoted = this.#match(/"(?:[^"\\]|\\.)*"/y);
    if (quoted !== undefined) return String(JSON.parse(quoted));
    const word = this.#match(/true|false/y);
    if (word !== undefined) return word === "true";
    const pointer = this.#match(/\(\*([\w.]+)\)\((nil|0x[0-9a-f]+)\)/y);
    if (pointer !== undefined) return pointerFrom(pointer);
    const number = this.#match(/-?\d+(\.\d+)?(e[+-]?\d+)?/y);
    if (number !== undefined) return numberFrom(number, wanted);
    return this.#composite();
  }

  #composite(): GoValue {
    const isPointer = this.#take("&");
    const name = this.#match(/(?:interface \{\}|[^{])+?(?=\{(?!\}[^,}])|\{\}$)/y) ?? this.#fail();
    const type = reflectType(name, scope);
    this.#expect("{");
    if (type.kind === "struct") {
      const struct = new GoStruct(type, Object.fromEntries(this.#members(types.any, /(\w+):/y)), { addressable: isPointer });
      return isPointer ? new Pointer(type.pointerTo, struct) : struct;
    }
    if (type.kind === "map") return new GoMap(type, this.#members(type.elem ?? types.any, /"(?:[^"\\]|\\.)*":/y));
    return new GoList(
      type,
      this.#list(() => this.value(type.elem ?? types.any)),
    );
  }

  #members(elem: ReflectType, key: RegExp): [string, GoValue][] {
    return this.#list((): [string, GoValue] => {
      const name = (this.#match(key) ?? this.#fail()).slice(0, -1);
      return [name.startsWith('"') ? String(JSON.parse(name)) : name, this.value(elem)];
    });
  }

  #list<T>(item: () => T): T[] {
    const items: T[] = [];
    while (!this.#take("}")) {
      items.push(item());
      this.#take(", ");
    }
    return items;
  }

  #date(): GoValue {
    const inside = this.#match(/.*?\)\)/y) ?? this.#fail();
    const [year, month, day, hour, minute, second] = inside.split(", ");
    const when = Date.parse(`${day} ${month?.replace("time.", "")} ${year} ${hour}:${minute}:${second} GMT`);
    return timeValue({ seconds: when / 1000, nanos: 0, zone: utc });
  }

  #take(token: string): boolean {
    if (!this.#text.startsWith(token, this.#at)) return false;
    this.#at += token.length;
    return true;
  }

  #expect(token: string): void {
    if (!this.#take(token)) this.#fail();
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #fail(): never {
    throw new TypeError(`no Go literal: ${this.#text.slice(this.#at)}`);
  }
}

function pointerFrom(text: string): GoValue {
  const [, name = "", target] = /\(\*([\w.]+)\)\((.*)\)/.exec(text) ?? [];
  const type = reflectType(name, scope);
  return target === "nil" ? new Pointer(type.pointerTo) : new Pointer(type.pointerTo, "");
}

function numberFrom(text: string, wanted: ReflectType): GoValue {
  if (wanted.kind === "float64" || /[.e]/.test(text)) return Number(text);
  return wanted.kind === "interface" ? int(BigInt(text)) : new Integer(wanted, BigInt(text));
}
