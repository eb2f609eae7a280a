import { celEqual } from "./equal.ts";
import { escapeName, unescapeName } from "./escape.ts";
import { fail, noSuchOverload } from "./failure.ts";
import type { Meter } from "./meter.ts";
import { ListValue, MapValue, Opaque, type CelValue } from "./value.ts";

/** Converts JSON to a value. */
export type ValueReader = (json: unknown) => CelValue;

type Json = Readonly<Record<string, unknown>>;

/** The `JSON.rawJSON` proposal of ECMAScript, which carries integers that a number cannot hold. */
const json = JSON as unknown as { isRawJSON?(value: unknown): value is { readonly rawJSON: string } };

export function isJsonObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The integer that a JSON number is; undefined when it is fractional or too large. */
export function integerIn(value: unknown): bigint | undefined {
  if (typeof value === "number") return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? BigInt(value) : undefined;
  if (typeof value === "bigint") return value;
  return typeof value === "object" && json.isRawJSON?.(value) === true ? BigInt(value.rawJSON) : undefined;
}

/** Converts JSON without a schema. A whole number is an int. */
export function readUntypedJson(value: unknown): CelValue {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
    case "bigint":
      return integerIn(value) ?? Number(value);
    default:
      break;
  }
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return new ListView(value, readUntypedJson);
  const integer = integerIn(value);
  if (integer !== undefined) return integer;
  return isJsonObject(value) ? new MapView(value, readUntypedJson) : fail(`unsupported conversion to ref.Val: (${typeof value})`);
}

/** A JSON array. Elements are converted when they are read. */
export class ListView extends ListValue {
  readonly elements: readonly unknown[];
  readonly read: ValueReader;

  constructor(elements: readonly unknown[], read: ValueReader) {
    super();
    this.elements = elements;
    this.read = read;
  }

  get size(): number {
    return this.elements.length;
  }

  at(index: number): CelValue {
    return this.read(this.elements[index]);
  }
}

/** A JSON object with arbitrary keys. */
export class MapView extends MapValue {
  readonly fields: Json;
  readonly #read: ValueReader;

  constructor(fields: Json, read: ValueReader) {
    super();
    this.fields = fields;
    this.#read = read;
  }

  get size(): number {
    return Object.keys(this.fields).length;
  }

  find(key: CelValue): CelValue | undefined {
    if (typeof key !== "string") return undefined;
    return Object.hasOwn(this.fields, key) ? this.#read(this.fields[key]) : undefined;
  }

  keys(): readonly CelValue[] {
    return Object.keys(this.fields);
  }
}

/** Finds the fields of an object by their escaped names. Filled lazily. */
type FieldLookup = {
  readonly fieldNamed: (field: string) => { readonly name: string; readonly read: ValueReader } | undefined;
  readonly knows: (name: string) => boolean;
};

/** A JSON object with a schema. Only declared fields can be reached, and null counts as absent. */
export class ObjectView extends MapValue {
  readonly fields: Json;
  readonly #shape: FieldLookup;

  constructor(fields: Json, shape: FieldLookup) {
    super();
    this.fields = fields;
    this.#shape = shape;
  }

  get size(): number {
    return Object.keys(this.fields).length;
  }

  find(key: CelValue): CelValue | undefined {
    if (typeof key !== "string") return noSuchOverload();
    const field = this.#shape.fieldNamed(key);
    if (field === undefined || !Object.hasOwn(this.fields, field.name)) return undefined;
    const value = this.fields[field.name];
    return value === null || value === undefined ? undefined : field.read(value);
  }

  keys(): readonly CelValue[] {
    return Object.keys(this.fields)
      .filter(this.#shape.knows)
      .map((name) => escapeName(name) ?? name);
  }

  /** Undeclared fields are compared as raw JSON. Models apiserver pkg/cel/common/valuesunstructured.go Equal */
  override equalTo(other: MapValue, meter: Meter): boolean {
    return Object.keys(this.fields).every((name) => {
      if (!this.#shape.knows(name)) return !(other instanceof ObjectView) || isSameUnknown(this.fields, other.fields, name);
      const key = escapeName(name) ?? name;
      const [own, others] = [this.find(key), other.find(key)];
      if (own === undefined || others === undefined) return own === others;
      return celEqual(own, others, meter);
    });
  }
}

function isSameUnknown(left: Json, right: Json, name: string): boolean {
  return !Object.hasOwn(right, name) || isSameJson(left[name], right[name]);
}

/** JSON that a schema preserves without describing it. It can only be compared. */
export class Preserved extends Opaque {
  readonly typeName = "unknown";
  readonly json: unknown;

  constructor(value: unknown) {
    super();
    this.json = value;
  }

  equals(other: Opaque): boolean {
    return other instanceof Preserved && isSameJson(this.json, other.json);
  }

  toString(): string {
    return JSON.stringify(this.json);
  }
}

function isSameJson(left: unknown, right: unknown): boolean {
  if (Array.isArray(left)) {
    return Array.isArray(right) && left.length === right.length && left.every((each, index) => isSameJson(each, right[index]));
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return Object.is(left, right);
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length && names.every((name) => Object.hasOwn(right, name) && isSameJson(left[name], right[name]))
  );
}

export function fieldLookupOf(readerFor: (name: string) => ValueReader | undefined): FieldLookup {
  const known = new Map<string, { name: string; read: ValueReader } | undefined>();
  const lookUp = (field: string): { name: string; read: ValueReader } | undefined => {
    const name = unescapeName(field);
    const read = name === undefined ? undefined : readerFor(name);
    return name === undefined || read === undefined ? undefined : { name, read };
  };
  return {
    knows: (name) => readerFor(name) !== undefined,
    fieldNamed: (field) => {
      const found = known.get(field);
      if (found !== undefined || known.has(field)) return found;
      const looked = lookUp(field);
      known.set(field, looked);
      return looked;
    },
  };
}
