import { celEqual } from "./equal.ts";
import { fail } from "./failure.ts";
import type { Meter } from "./meter.ts";
import { asResource, type CelSchema } from "./schema.ts";
import { parseDate, parseTimestamp, parseOpenApiDuration } from "./time.ts";
import { Items, MapValue, type ListValue, type CelValue } from "./value.ts";
import {
  integerIn,
  isJsonObject,
  ListView,
  MapView,
  ObjectView,
  Preserved,
  fieldLookupOf,
  readUntypedJson,
  type ValueReader,
} from "./json-view.ts";

const readers = new WeakMap<CelSchema, ValueReader>();

/** The reader for a schema. Built once per schema. */
export function valueReaderOf(schema: CelSchema): ValueReader {
  const known = readers.get(schema);
  if (known !== undefined) return known;
  const read = nullable(schema, makeReader(schema));
  readers.set(schema, read);
  return read;
}

function nullable(schema: CelSchema, read: ValueReader): ValueReader {
  const isNullable = schema.nullable === true;
  return (value) => {
    if (value !== null && value !== undefined) return read(value);
    return isNullable ? null : fail("invalid data, got null for schema with nullable=false");
  };
}

/** Models apiserver pkg/cel/common/valuesunstructured.go UnstructuredToVal */
function makeReader(schema: CelSchema): ValueReader {
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
    case "dyn":
      return readUntypedJson;
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

function readIntOrString(value: unknown): CelValue {
  if (typeof value === "string") return value;
  return integerIn(value) ?? fail("invalid data, expected XIntOrString value to be either a string or integer");
}

function readText(text: string, format: string | undefined): CelValue {
  switch (format) {
    case "duration":
      return parseOpenApiDuration(text) ?? fail(`Invalid duration ${text}: unable to parse ${text} as duration`);
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

function objectReader(schema: CelSchema): ValueReader {
  const described = schema["x-kubernetes-embedded-resource"] === true ? asResource(schema) : schema;
  const { properties, additionalProperties } = described;
  const wrong = "invalid data, expected a map for the provided schema with type=object";
  if (properties === undefined && typeof additionalProperties === "object") {
    return (value) => (isJsonObject(value) ? new MapView(value, valueReaderOf(additionalProperties)) : fail(wrong));
  }
  const shape = fieldLookupOf((name) => {
    const property = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
    return property === undefined ? undefined : valueReaderOf(property);
  });
  return (value) => (isJsonObject(value) ? new ObjectView(value, shape) : fail(wrong));
}

function arrayReader(schema: CelSchema): ValueReader {
  const { items } = schema;
  if (items === undefined) return () => fail("invalid array type, expected Items with a non-empty Schema");
  const view = viewOf(schema, items);
  return (value) => (Array.isArray(value) ? view(value) : fail("invalid data, expected an array for the provided schema with type=array"));
}

function viewOf(schema: CelSchema, items: CelSchema): (elements: readonly unknown[]) => ListValue {
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  switch (schema["x-kubernetes-list-type"]) {
    case "set":
      return (elements) => new SetView(elements, valueReaderOf(items), (value) => `${typeof value} ${String(value)}`);
    case "map":
      return (elements) => new SetView(elements, valueReaderOf(items), (value) => keyOf(value, keys));
    default:
      return (elements) => new ListView(elements, valueReaderOf(items));
  }
}

function keyOf(value: CelValue, keys: readonly string[]): string {
  if (!(value instanceof MapValue)) return "";
  return JSON.stringify(keys.map((key) => `${typeof value.find(key)} ${String(value.find(key))}`));
}

/** A list of type set or map: equality ignores the order, and addition merges. */
class SetView extends ListView {
  readonly #identity: (value: CelValue) => string;

  constructor(elements: readonly unknown[], read: ValueReader, identity: (value: CelValue) => string) {
    super(elements, read);
    this.#identity = identity;
  }

  override equalTo(other: ListValue, meter: Meter): boolean {
    const own = new Map<string, CelValue>();
    for (let index = 0; index < this.size; index++) own.set(this.#identity(this.at(index)), this.at(index));
    for (let index = 0; index < other.size; index++) {
      const found = own.get(this.#identity(other.at(index)));
      if (found === undefined || !celEqual(found, other.at(index), meter)) return false;
    }
    return true;
  }

  override plus(other: ListValue): ListValue {
    const merged = new Map<string, CelValue>();
    for (let index = 0; index < this.size; index++) merged.set(this.#identity(this.at(index)), this.at(index));
    for (let index = 0; index < other.size; index++) merged.set(this.#identity(other.at(index)), other.at(index));
    return new Items([...merged.values()]);
  }
}
