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
  reflectKindOf,
  isUnsigned,
  typeName,
  reflectTypeOf,
  fromBytes,
  type GoFunction,
  type GoValue,
} from "../value/index.ts";
import { pointerAddress } from "./address.ts";
import { byteNumbers } from "./byte-numbers.ts";
import {
  formatCharacter,
  formatHex,
  formatInteger,
  formatQuoted,
  formatReal,
  formatString,
  formatTextHex,
  formatUnicode,
  noFlags,
  pad,
  type Flags,
} from "./verb.ts";

/** A value that contains itself is deeper. Go exhausts its stack on it. */
const deepest = 100_000;

/** An element of a collection. Collections may be in others many times, so that what is printed is far larger than what there is. */
const costOfElement = 96;

/** A collection that is being printed. */
type OpenCollection = {
  readonly opening: string;
  /** The keys of a map. */
  readonly keys?: readonly GoValue[];
  readonly elements: readonly GoValue[];
  readonly closing: string;
  /** The element that comes next. */
  at: number;
};

/** Formats values by verb and flags, as Go's fmt does. Models fmt.pp. */
export class Printer {
  readonly #flags: Flags;
  /** Set while a bad verb is reported: values then print without their methods. */
  #plain = false;

  constructor(flags: Flags = noFlags) {
    this.#flags = flags;
  }

  /** Models pp.printArg. */
  argument(value: GoValue, verb: string): string {
    if (value === null || value === undefined) {
      return verb === "T" || verb === "v" ? pad("<nil>", this.#flags) : `%!${verb}(<nil>)`;
    }
    if (verb === "T") return formatString(typeName(value), this.#flags);
    if (verb === "p") return this.#pointer(value, "p");
    return this.#methods(value, verb) ?? this.#value(value, verb);
  }

  /** Models pp.printValue, without the methods of the value. */
  #value(value: GoValue, verb: string, isInside = false): string {
    switch (typeof value) {
      case "string":
        return this.#text(value, verb, value);
      case "boolean":
        return verb === "t" || verb === "v" ? pad(String(value), this.#flags) : this.#badVerb(value, verb);
      case "number":
        return this.#float(value, verb, value, 64);
      case "undefined":
        return "<nil>";
      default:
        return value === null ? this.#nil() : this.#object(value, verb, isInside);
    }
  }

  #object(value: Exclude<GoValue, null | undefined | boolean | string | number>, verb: string, isInside: boolean): string {
    if (value instanceof Integer) return this.#integer(value, verb);
    if (value instanceof GoMap || value instanceof GoList) return this.#collection(value, verb);
    if (value instanceof Uint8Array) return this.#bytes(value, verb);
    if (value instanceof GoStruct) return this.#struct(value, verb);
    if (value instanceof Complex) return this.#complex(value, verb);
    if (value instanceof GoScalar) return this.#scalar(value, verb);
    if (value instanceof Pointer && !isInside && !value.isNil && isCompound(value.target)) {
      return `&${this.#element(value.target, verb)}`;
    }
    return this.#pointer(value, verb);
  }

  #scalar(value: GoScalar, verb: string): string {
    if (typeof value.value === "string") return this.#text(value.value, verb, value);
    if (typeof value.value === "number") return this.#float(value.value, verb, value, value.type.kind === "float32" ? 32 : 64);
    return verb === "t" || verb === "v" ? pad(String(value.value), this.#flags) : this.#badVerb(value, verb);
  }

  /** Formats an element, field or key. Its methods come first. */
  #element(value: GoValue, verb: string): string {
    if (value === null || value === undefined) return this.#nil();
    return this.#methods(value, verb) ?? this.#value(value, verb, true);
  }

  #nil(): string {
    return this.#flags.sharpV ? "interface {}(nil)" : "<nil>";
  }

  #text(text: string, verb: string, value: GoValue): string {
    switch (verb) {
      case "v":
        return this.#flags.sharpV ? formatQuoted(text, this.#flags) : formatString(text, this.#flags);
      case "s":
        return formatString(text, this.#flags);
      case "x":
      case "X":
        return formatTextHex(text, this.#flags, verb === "X");
      case "q":
        return formatQuoted(text, this.#flags);
      default:
        return this.#badVerb(value, verb);
    }
  }

  #integer(integer: Integer, verb: string): string {
    const { value } = integer;
    switch (verb) {
      case "v":
        if (!this.#flags.sharpV || !isUnsigned(integer.type)) return formatInteger(value, 10, verb, this.#flags);
        return formatInteger(value, 16, verb, { ...this.#flags, sharp: true });
      case "d":
        return formatInteger(value, 10, verb, this.#flags);
      case "b":
        return formatInteger(value, 2, verb, this.#flags);
      case "o":
      case "O":
        return formatInteger(value, 8, verb, this.#flags);
      case "x":
      case "X":
        return formatInteger(value, 16, verb, this.#flags);
      case "c":
      case "q":
        return formatCharacter(value, verb, this.#flags);
      case "U":
        return formatUnicode(value, this.#flags);
      default:
        return this.#badVerb(integer, verb);
    }
  }

  #float(number: number, verb: string, value: GoValue, bits: 32 | 64, flags: Flags = this.#flags): string {
    switch (verb) {
      case "v":
        return formatReal(number, "g", -1, flags, bits);
      case "b":
      case "g":
      case "G":
      case "x":
      case "X":
        return formatReal(number, verb, -1, flags, bits);
      case "e":
      case "E":
        return formatReal(number, verb, 6, flags, bits);
      case "f":
      case "F":
        return formatReal(number, "f", 6, flags, bits);
      default:
        return this.#badVerb(value, verb);
    }
  }

  #complex(value: Complex, verb: string): string {
    if (!"vbgGxXfFeE".includes(verb)) return this.#badVerb(value, verb);
    const bits = value.type.kind === "complex64" ? 32 : 64;
    const imaginary = this.#float(value.imaginary, verb, value, bits, { ...this.#flags, plus: true });
    return `(${this.#float(value.real, verb, value, bits)}${imaginary}i)`;
  }

  /** Prints a collection with all collections in it. They may be nested deeper than the stack allows. */
  #collection(outermost: GoMap | GoList, verb: string): string {
    const opened = this.#opened(outermost, verb);
    if (typeof opened === "string") return opened;
    const open = [opened];
    let out = opened.opening;
    for (let inner = open.at(-1); inner !== undefined; inner = open.at(-1)) {
      if (inner.at === inner.elements.length) {
        out += inner.closing;
        open.pop();
        continue;
      }
      const { keys, elements, at } = inner;
      inner.at++;
      // Concatenated step by step: joining an array would copy deep values, such as whole files, once per level.
      if (at > 0) out += this.#flags.sharpV ? ", " : " ";
      if (keys !== undefined) out += `${this.#element(keys[at], verb)}:`;
      const next = this.#openedElement(elements[at], verb);
      charge(costOfElement + (typeof next === "string" ? next.length : 0));
      if (typeof next === "string") {
        out += next;
        continue;
      }
      if (open.length === deepest) throw new GoError("a value that contains itself cannot be printed");
      out += next.opening;
      open.push(next);
    }
    return out;
  }

  #openedElement(value: GoValue, verb: string): OpenCollection | string {
    if (!(value instanceof GoMap || value instanceof GoList)) return this.#element(value, verb);
    return this.#methods(value, verb) ?? this.#opened(value, verb);
  }

  #opened(value: GoMap | GoList, verb: string): OpenCollection | string {
    const { sharpV } = this.#flags;
    if (value instanceof GoList && value.type.elem?.kind === "uint8" && "sqxX".includes(verb)) return this.#bytes(bytesOf(value), verb);
    if (sharpV && value.isNil) return `${value.type.name}(nil)`;
    const closing = sharpV ? "}" : "]";
    if (value instanceof GoList) return { opening: sharpV ? `${value.type.name}{` : "[", elements: value.items, closing, at: 0 };
    const entries = [...value.sortedEntries()];
    return {
      opening: sharpV ? `${value.type.name}{` : "map[",
      keys: entries.map(([key]) => key),
      elements: entries.map(([, element]) => element),
      closing,
      at: 0,
    };
  }

  #bytes(bytes: Uint8Array, verb: string): string {
    switch (verb) {
      case "v":
      case "d":
        if (hasNoEffect(this.#flags)) return byteNumbers(bytes);
        if (!this.#flags.sharpV) return `[${Array.from(bytes, (byte) => formatInteger(byte, 10, verb, this.#flags)).join(" ")}]`;
        return `[]byte{${Array.from(bytes, (byte) => formatInteger(byte, 16, "v", { ...this.#flags, sharp: true })).join(", ")}}`;
      case "s":
        return formatString(fromBytes(bytes), this.#flags);
      case "q":
        return formatQuoted(fromBytes(bytes), this.#flags);
      case "x":
      case "X":
        return formatHex(bytes, this.#flags, verb === "X");
      default:
        return `[${Array.from(bytes, (byte) => this.#integer(new Integer(typeOfByte, byte), verb)).join(" ")}]`;
    }
  }

  #struct(struct: GoStruct, verb: string): string {
    const { sharpV, plusV } = this.#flags;
    const fields = (struct.type.fields ?? []).map(({ name }) => {
      const value = struct.field(name);
      const shown = /^\p{Lu}/u.test(name) || value === null ? this.#element(value, verb) : this.#value(value, verb, true);
      return sharpV || plusV ? `${name}:${shown}` : shown;
    });
    return sharpV ? `${struct.type.name}{${fields.join(", ")}}` : `{${fields.join(" ")}}`;
  }

  #pointer(value: GoValue, verb: string): string {
    const address = pointerAddress(value);
    if (address === undefined) return this.#badVerb(value, verb);
    switch (verb) {
      case "v":
        if (this.#flags.sharpV) return `(${typeName(value)})(${address === 0 ? "nil" : `0x${address.toString(16)}`})`;
        return address === 0 ? pad("<nil>", this.#flags) : this.#address(address);
      case "p":
        return this.#address(address);
      case "b":
      case "o":
      case "d":
      case "x":
      case "X":
        return formatInteger(address, bases[verb], verb, this.#flags);
      default:
        return this.#badVerb(value, verb);
    }
  }

  #address(address: number): string {
    return formatInteger(address, 16, "v", { ...this.#flags, sharp: !this.#flags.sharp });
  }

  #badVerb(value: GoValue, verb: string): string {
    const before = this.#plain;
    this.#plain = true;
    const shown = `%!${verb}(${typeName(value)}=${this.#value(value, "v")})`;
    this.#plain = before;
    return shown;
  }

  /** The result of the value's Error or String method; undefined when it has none. Models pp.handleMethods. */
  #methods(value: GoValue, verb: string): string | undefined {
    if (this.#plain) return undefined;
    if (verb === "w") return this.#badVerb(value, verb);
    if (this.#flags.sharpV || !"vsxXq".includes(verb)) return undefined;
    const found = textMethod(value);
    if (found === undefined) return undefined;
    try {
      return this.#text(callText(found.method, receiverOf(value)), verb, value);
    } catch (error) {
      if (!(error instanceof GoError)) throw error;
      return value instanceof Pointer && value.isNil ? "<nil>" : `%!${verb}(PANIC=${found.name} method: ${error.message})`;
    }
  }
}

const bases = { b: 2, o: 8, d: 10, x: 16, X: 16 } as const;
const typeOfByte = reflectTypeOf(new Uint8Array())?.elem ?? reflectTypeOf(0)!;

function isCompound(value: GoValue): boolean {
  return ["array", "slice", "struct", "map"].includes(reflectKindOf(value));
}

function bytesOf(list: GoList): Uint8Array {
  return Uint8Array.from(list.items, (item) => (item instanceof Integer ? Number(item.value) : 0));
}

/** The method that formats a value: Error before String. */
export function textMethod(value: GoValue): { readonly name: "Error" | "String"; readonly method: GoFunction } | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const methods = reflectTypeOf(value)?.methods;
  if (methods === undefined || methods.size === 0) return undefined;
  for (const name of ["Error", "String"] as const) {
    const method = methods.get(name);
    if (method?.type.parameters?.length === 0 && method.type.results?.[0]?.kind === "string") return { name, method };
  }
  return undefined;
}

/** The receiver of a method: the target of a pointer, or a nil pointer itself. */
export function receiverOf(value: GoValue): GoValue {
  return value instanceof Pointer && !value.isNil ? receiverOf(value.target) : value;
}

function callText(method: GoFunction, receiver: GoValue): string {
  const call: (receiver: never) => GoValue = method.call;
  const text = Reflect.apply(call, undefined, [receiver]);
  return typeof text === "string" ? text : String(text);
}

/** Whether the flags leave numbers unchanged. */
function hasNoEffect({ plus, sharp, sharpV, space, width, precision }: Flags): boolean {
  return !plus && !sharp && !sharpV && !space && width === undefined && precision === undefined;
}
