import { Fault } from "../core/fault/index.ts";
import { isExactInteger, isFields, type Fields } from "../core/object/index.ts";
import { formatFloat } from "../lang/template/index.ts";

/**
 * Decodes fields of parsed YAML as sigs.k8s.io/yaml decodes into a Go struct: a scalar becomes a string where a string
 * is expected, and any other mismatch is refused with the message of encoding/json.
 */
export class Decoder {
  readonly #struct: string;
  readonly #path: string;
  readonly #fields: Fields;

  /** `struct` is the Go type and `path` the fields that lead to it, both for messages. */
  constructor(struct: string, value: unknown, path = "") {
    this.#struct = struct;
    this.#path = path;
    if (value !== null && value !== undefined && !isFields(value))
      throw refusal(`json: cannot unmarshal ${shapeOf(value)} into Go value of type v2.${struct}`);
    this.#fields = isFields(value) ? value : {};
  }

  text(name: string): string {
    return this.#text(name, this.#get(name));
  }

  texts(name: string): readonly string[] {
    return this.#list(name, "string").map((item) => this.#text(name, item));
  }

  flag(name: string): boolean {
    const value = this.#get(name);
    if (value === null || value === undefined) return false;
    if (typeof value === "boolean") return value;
    throw this.#mismatch(name, value, "bool");
  }

  /** A `map[string]string`. */
  textMap(name: string): Readonly<Record<string, string>> {
    const value = this.#get(name);
    if (value === null || value === undefined) return {};
    if (!isFields(value)) throw this.#mismatch(name, value, "map[string]string");
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.#text(name, item)]));
  }

  /** A list of structs. Undefined when there is no such list. A null item stays null: validation refuses it. */
  structs(name: string, type: string): readonly (Decoder | null)[] | undefined {
    if (this.#get(name) === null || this.#get(name) === undefined) return undefined;
    return this.#list(name, `*v2.${type}`).map((item) => {
      if (item !== null && !isFields(item)) throw this.#mismatch(name, item, `v2.${type}`);
      return item === null ? null : new Decoder(type, item, `${this.#path}${name}.`);
    });
  }

  anything(name: string): readonly unknown[] {
    return this.#list(name, "interface {}");
  }

  #list(name: string, of: string): readonly unknown[] {
    const value = this.#get(name);
    if (value === null || value === undefined) return [];
    if (!Array.isArray(value)) throw this.#mismatch(name, value, `[]${of}`);
    return value;
  }

  #text(name: string, value: unknown): string {
    if (value === null || value === undefined) return "";
    if (typeof value === "string") return value;
    if (typeof value === "boolean") return String(value);
    if (isExactInteger(value)) return value.rawJSON;
    if (typeof value === "number") return Number.isSafeInteger(value) ? String(value) : formatFloat(Math.fround(value), "g", -1, 32);
    throw this.#mismatch(name, value, "string");
  }

  /** Finds keys without regard to case, as encoding/json does. An exact match comes first. */
  #get(name: string): unknown {
    if (Object.hasOwn(this.#fields, name)) return this.#fields[name];
    const other = Object.keys(this.#fields).find((key) => key.toLowerCase() === name.toLowerCase());
    return other === undefined ? undefined : this.#fields[other];
  }

  #mismatch(name: string, value: unknown, type: string): Fault {
    return refusal(`json: cannot unmarshal ${shapeOf(value)} into Go struct field ${this.#struct}.${this.#path}${name} of type ${type}`);
  }
}

function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return "number";
  if (typeof value === "boolean") return "bool";
  return typeof value === "string" ? "string" : "object";
}

function refusal(because: string): Fault {
  return new Fault(`error unmarshaling JSON: while decoding JSON: ${because}`, undefined, { final: true });
}
