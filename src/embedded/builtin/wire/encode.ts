import { isFields, type Fields, type KubeObject, type ObjectMeta } from "../../../core/object/index.ts";
import { parseQuantity, printQuantity, roundedToMilli } from "../quantity.ts";
import { oncePerValue } from "../field-edits.ts";
import { goStructNameOf, goStructOf, type GoStructField, type GoFieldType } from "./go-struct-type.ts";

const zeros: Readonly<Record<string, unknown>> = { s: "", b: false, n: 0, l: 0, d: 0, f: 0, q: "0", i: 0, t: null, r: null };
/** Types that omitempty omits; a Quantity, an IntOrString and a Time are structs in Go, which it never omits. */
const omittable = new Set(["s", "b", "n", "l", "d", "f"]);

/**
 * An object of a built-in kind after a round trip through the server's Go types: unknown fields are dropped, empty ones
 * are kept or omitted as the encoder does, quantities are canonical. The same object when nothing changes.
 */
export function encodedObject(object: KubeObject, known: KnownValues = nothing): KubeObject {
  const name = goStructNameOf(object.apiVersion, object.kind);
  const result = name === undefined ? object : struct(object, name, known);
  return isFields(result) ? (result as KubeObject) : object;
}

/** The metadata of any object after the same round trip: a null in a map or list of texts is an empty text. */
export function encodedMetadata(metadata: ObjectMeta): ObjectMeta {
  const result = struct(metadata, "meta.ObjectMeta", nothing);
  return isFields(result) ? (result as ObjectMeta) : metadata;
}

/** Up to two values that have been encoded before. Parts that are shared with them are not encoded again. */
type KnownValues = readonly [unknown, unknown];

const nothing: KnownValues = [undefined, undefined];

function isKnown(value: unknown, [one, other]: KnownValues): boolean {
  return value === one || value === other;
}

/** The known values of a field or an item. */
function knownAt([one, other]: KnownValues, key: string | number): KnownValues {
  return one === undefined && other === undefined ? nothing : [partOf(one, key), partOf(other, key)];
}

function partOf(value: unknown, key: string | number): unknown {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string | number, unknown>>)[key] : undefined;
}

function encode(value: unknown, type: GoFieldType, known: KnownValues): unknown {
  switch (type.form) {
    case "pointer":
      return value === undefined || value === null ? null : encode(value, type.of, known);
    case "list":
      return list(value, type.of, known);
    case "map":
      return map(value, type.of);
    case "struct":
      return struct(value ?? {}, type.name, known);
    case "scalar":
      return scalar(value, type.letter);
  }
}

function list(value: unknown, of: GoFieldType, known: KnownValues): unknown {
  if (value === undefined || value === null) return null;
  if (!Array.isArray(value) || isKnown(value, known)) return value;
  if (value.length === 0) return null;
  const items = value.map((item, index) => encode(item, of, knownAt(known, index)));
  return items.every((item, index) => item === value[index]) ? value : items;
}

function map(value: unknown, of: GoFieldType): unknown {
  if (value === undefined || value === null) return null;
  if (!isFields(value)) return value;
  const entries = Object.entries(value);
  if (entries.length === 0) return null;
  const isResourceList = of.form === "scalar" && of.letter === "q";
  const items = entries.map(([key, item]) => [key, isResourceList ? rounded(item) : encode(item, of, nothing)] as const);
  return items.every(([key, item]) => item === value[key]) ? value : Object.fromEntries(items);
}

function struct(value: unknown, name: string, known: KnownValues): unknown {
  if (!isFields(value) || isKnown(value, known)) return value;
  return name === container ? encodeContainer(value) : structFields(value, name, known);
}

/** Containers are the largest part of a Pod, and all Pods of a template share them. */
const container = "core.Container";
const encodeContainer = oncePerValue((value: Fields) => structFields(value, container, nothing));

/** Most values are as they should be already: only their own fields are looked at, and those that no encoder omits. */
function structFields(value: Fields, name: string, known: KnownValues): Fields {
  const { byName } = goStructOf(name);
  let edits: Map<string, unknown> | undefined;
  let isComplete = true;
  for (const key in value) {
    const field = byName.get(key);
    const before = value[key];
    const item = field === undefined ? undefined : encodeField(before, field, known);
    if (field === undefined || isOmitted(item, field)) isComplete = false;
    if (item !== before) (edits ??= new Map()).set(key, item);
  }
  if (isComplete) for (const field of alwaysKeptOf(name)) isComplete &&= value[field.name] !== undefined;
  return edits === undefined && isComplete ? value : editedStruct(value, name, edits);
}

/** The fields in the order of the Go struct. */
function editedStruct(value: Fields, name: string, edits: ReadonlyMap<string, unknown> | undefined): Fields {
  const result: Record<string, unknown> = {};
  for (const field of goStructOf(name).fields) {
    const given = edits?.has(field.name) ? edits.get(field.name) : value[field.name];
    const item = given === undefined ? encodeField(undefined, field, nothing) : given;
    if (!isOmitted(item, field)) result[field.name] = item;
  }
  return result;
}

function encodeField(value: unknown, { name, type }: GoStructField, known: KnownValues): unknown {
  return type.form === "scalar" ? scalar(value, type.letter) : encode(value, type, knownAt(known, name));
}

const alwaysKept = new Map<string, readonly GoStructField[]>();

/** The fields of a struct that are encoded even when they are not given. */
function alwaysKeptOf(name: string): readonly GoStructField[] {
  const found =
    alwaysKept.get(name) ?? goStructOf(name).fields.filter((field) => !isOmitted(encodeField(undefined, field, nothing), field));
  alwaysKept.set(name, found);
  return found;
}

function scalar(value: unknown, letter: string): unknown {
  if (value === undefined || value === null) return zeros[letter];
  if (letter === "n" && typeof value === "number") return wrappedInt32(value);
  if (letter !== "q") return value;
  const quantity = parseQuantity(value);
  return typeof quantity === "string" ? value : printQuantity(quantity);
}

/** Go keeps the lowest bits of a number that is too large. Beyond 64 bits none of them are left. */
export function wrappedInt32(value: number): number {
  if (value === (value | 0) || !Number.isInteger(value)) return value;
  return Math.abs(value) >= 2 ** 63 ? 0 : Number(BigInt.asIntN(32, BigInt(value)));
}

// Models pkg/apis/core/v1/defaults.go SetDefaults_ResourceList
function rounded(value: unknown): unknown {
  const quantity = parseQuantity(value ?? "0");
  return typeof quantity === "string" ? value : printQuantity(roundedToMilli(quantity));
}

function isOmitted(value: unknown, { type, omit }: GoStructField): boolean {
  if (omit === "never") return false;
  if (type.form === "scalar") {
    if (omit === "empty" && !omittable.has(type.letter)) return false;
    return value === zeros[type.letter];
  }
  if (type.form === "struct") return omit === "zero" && isEmpty(value);
  return value === null;
}

function isEmpty(value: unknown): boolean {
  return isFields(value) && Object.keys(value as Fields).length === 0;
}
