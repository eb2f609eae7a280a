import { equal } from "./equal.ts";
import { fail } from "./failure.ts";
import type { Meter } from "./meter.ts";
import { asResource, type Schema } from "./schema.ts";
import { parseDate, parseTimestamp, parseWordyDuration } from "./time.ts";
import { Items, MapValue, type ListValue, type Value } from "./value.ts";
import { integerIn, isJsonObject, ListView, MapView, ObjectView, Preserved, shapeOf, type Read } from "./view.ts";

const readers = new WeakMap<Schema, Read>();

/** Reads JSON as its schema says. Made once for a schema. */
export function readerOf(schema: Schema): Read {
  const known = readers.get(schema);
  if (known !== undefined) return known;
  const read = nullable(schema, makeReader(schema));
  readers.set(schema, read);
  return read;
}

function nullable(schema: Schema, read: Read): Read {
  const isNullable = schema.nullable === true;
  return (value) => {
    if (value !== null && value !== undefined) return read(value);
    return isNullable ? null : fail("invalid data, got null for schema with nullable=false");
  };
}

/** Models apiserver pkg/cel/common/valuesunstructured.go UnstructuredToVal */
function makeReader(schema: Schema): Read {
  if (schema["x-kubernetes-int-or-string"] === true) return readIntOrString;
  switch (schema.type) {
    case "object":
      return objectReader(schema);
    case "array":
      return arrayReader(schema);
    case "string":
      return (value) =>
        typeof value === "string" ? readText(value, schema.format) : fail(`invalid data, expected string, got ${goTypeOf(value)}`);
    case "number":
      return (value) =>
        typeof value === "number" ? value : Number(integerIn(value) ?? fail(`invalid data, expected float, got ${goTypeOf(value)}`));
    case "integer":
      return (value) => integerIn(value) ?? fail(`invalid data, expected int, got ${goTypeOf(value)}`);
    case "boolean":
      return (value) => (typeof value === "boolean" ? value : fail(`invalid data, expected bool, got ${goTypeOf(value)}`));
    default:
      return (value) => new Preserved(value);
  }
}

function goTypeOf(value: unknown): string {
  if (Array.isArray(value)) return "[]interface {}";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number") return Number.isInteger(value) ? "int64" : "float64";
  return typeof value === "string" ? "string" : "map[string]interface {}";
}

function readIntOrString(value: unknown): Value {
  if (typeof value === "string") return value;
  return integerIn(value) ?? fail("invalid data, expected XIntOrString value to be either a string or integer");
}

function readText(text: string, format: string | undefined): Value {
  switch (format) {
    case "duration":
      return parseWordyDuration(text) ?? fail(`Invalid duration ${text}: unable to parse ${text} as duration`);
    case "date":
      return parseDate(text) ?? fail(`Invalid date formatted string ${text}`);
    case "date-time":
      return parseTimestamp(text) ?? fail(`Invalid date-time formatted string ${text}`);
    case "byte":
      return readBase64(text);
    default:
      return text;
  }
}

function readBase64(text: string): Uint8Array {
  const isValid = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text);
  return isValid ? Uint8Array.from(atob(text), (character) => character.charCodeAt(0)) : fail(`Invalid byte formatted string ${text}`);
}

function objectReader(schema: Schema): Read {
  const described = schema["x-kubernetes-embedded-resource"] === true ? asResource(schema) : schema;
  const { properties, additionalProperties } = described;
  const wrong = "invalid data, expected a map for the provided schema with type=object";
  if (properties === undefined && typeof additionalProperties === "object") {
    return (value) => (isJsonObject(value) ? new MapView(value, readerOf(additionalProperties)) : fail(wrong));
  }
  const shape = shapeOf((name) => {
    const property = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
    return property === undefined ? undefined : readerOf(property);
  });
  return (value) => (isJsonObject(value) ? new ObjectView(value, shape) : fail(wrong));
}

function arrayReader(schema: Schema): Read {
  const { items } = schema;
  if (items === undefined) return () => fail("invalid array type, expected Items with a non-empty Schema");
  const view = viewOf(schema, items);
  return (value) => (Array.isArray(value) ? view(value) : fail("invalid data, expected an array for the provided schema with type=array"));
}

function viewOf(schema: Schema, items: Schema): (elements: readonly unknown[]) => ListValue {
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  switch (schema["x-kubernetes-list-type"]) {
    case "set":
      return (elements) => new SetView(elements, readerOf(items), (value) => `${typeof value} ${String(value)}`);
    case "map":
      return (elements) => new SetView(elements, readerOf(items), (value) => keyOf(value, keys));
    default:
      return (elements) => new ListView(elements, readerOf(items));
  }
}

function keyOf(value: Value, keys: readonly string[]): string {
  if (!(value instanceof MapValue)) return "";
  return JSON.stringify(keys.map((key) => `${typeof value.find(key)} ${String(value.find(key))}`));
}

/** A list that is a set, or a map by some keys of its elements: order does not matter to it, and adding merges. */
class SetView extends ListView {
  readonly #identity: (value: Value) => string;

  constructor(elements: readonly unknown[], read: Read, identity: (value: Value) => string) {
    super(elements, read);
    this.#identity = identity;
  }

  override equalTo(other: ListValue, meter: Meter): boolean {
    const own = new Map<string, Value>();
    for (let index = 0; index < this.size; index++) own.set(this.#identity(this.at(index)), this.at(index));
    for (let index = 0; index < other.size; index++) {
      const found = own.get(this.#identity(other.at(index)));
      if (found === undefined || !equal(found, other.at(index), meter)) return false;
    }
    return true;
  }

  override plus(other: ListValue): ListValue {
    const merged = new Map<string, Value>();
    for (let index = 0; index < this.size; index++) merged.set(this.#identity(this.at(index)), this.at(index));
    for (let index = 0; index < other.size; index++) merged.set(this.#identity(other.at(index)), other.at(index));
    return new Items([...merged.values()]);
  }
}
