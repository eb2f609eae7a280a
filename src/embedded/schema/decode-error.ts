import { isFields } from "../../core/object/index.ts";
import { decodeSpecial } from "./decode-special.ts";
import { goTypeOfSchema, goStructOfSchema } from "./go-type.ts";
import { fieldSchema } from "./prune-unknown-fields.ts";
import type { JsonSchemaProps } from "./json-schema-props.ts";

/** The position of the decoder: the surrounding struct, the names of the path, and the expected type. */
type Position = { readonly struct: string; readonly names: readonly string[]; readonly type: string };

/** The message for a value of the wrong type. */
type Wording = (value: unknown, schema: JsonSchemaProps, at: Position) => string | undefined;

/**
 * Why Go's decoder rejects a value of a built-in kind (`json: cannot unmarshal string into Go struct field
 * DeploymentSpec.spec.replicas of type int32`); undefined when it does not. Only the first error is reported. A type
 * that decodes itself (a quantity, a time) ends the decoding at once; after others it goes on.
 *
 * Models sigs.k8s.io/json internal/golang/encoding/json/decode.go
 */
export function decodeError(value: unknown, schema: JsonSchemaProps): string | undefined {
  const at = { struct: "", names: [], type: goTypeOfSchema(schema) };
  const first = faultIn(value, schema, at, unmarshalText);
  if (first === undefined) return undefined;
  const ending = faultIn(value, schema, at, () => undefined);
  return ending === undefined || ending.startsWith("illegal base64 ") ? first : ending;
}

/**
 * The same for a tree that is not decoded from JSON, as after a strategic merge patch: its conversion has other
 * messages (`unrecognized type: int32`).
 */
export function conversionError(value: unknown, schema: JsonSchemaProps): string | undefined {
  return faultIn(value, schema, { struct: "", names: [], type: goTypeOfSchema(schema) }, conversionText);
}

function faultIn(value: unknown, schema: JsonSchemaProps, at: Position, wording: Wording): string | undefined {
  if (value === null || value === undefined) return undefined;
  const special = decodeSpecial(value, schema);
  if (special !== undefined) {
    if (special.mismatch === undefined) return wording === conversionText ? convertedFault(special.fault) : special.fault;
    const { found, type } = special.mismatch;
    // Such a type decodes JSON of its own, so its position is unknown in a conversion.
    return cannot(found, wording === conversionText ? { struct: "", names: [], type } : { ...at, type });
  }
  if (Array.isArray(value)) return faultInList(value, schema, at, wording);
  if (isFields(value)) return faultInFields(value, schema, at, wording);
  return fits(value, schema) ? undefined : wording(value, schema, at);
}

/** A conversion decodes bytes by JSON of their own. Models apimachinery pkg/runtime/converter.go sliceFromUnstructured */
function convertedFault(fault: string | undefined): string | undefined {
  return fault?.startsWith("illegal base64 ") === true ? `error decoding from json: ${fault}` : fault;
}

function faultInList(list: readonly unknown[], schema: JsonSchemaProps, at: Position, wording: Wording): string | undefined {
  if (isAnything(schema)) return undefined;
  if (schema.type !== "array") return wording(list, schema, at);
  const { items } = schema;
  if (items === undefined) return undefined;
  const type = elementOf(at.type) ?? goTypeOfSchema(items);
  return firstOf(list, (item) => faultIn(item, items, { ...at, type }, wording));
}

function faultInFields(
  fields: Readonly<Record<string, unknown>>,
  schema: JsonSchemaProps,
  at: Position,
  wording: Wording,
): string | undefined {
  if (isAnything(schema)) return undefined;
  if (schema.type !== "object") return wording(fields, schema, at);
  return firstOf(Object.entries(fields), ([name, child]) => {
    const known = fieldSchema(schema, name)?.schema;
    if (known === undefined) return undefined;
    const isNamed = schema.properties !== undefined;
    // Only struct fields are part of the path; keys of maps and indexes of lists are not.
    if (!isNamed) return faultIn(child, known, { ...at, type: elementOf(at.type) ?? goTypeOfSchema(known) }, wording);
    const names = [...at.names, ...embeddedIn(known), name];
    return faultIn(child, known, { struct: goStructOfSchema(schema), names, type: goTypeOfSchema(known) }, wording);
  });
}

function embeddedIn({ goEmbedded }: JsonSchemaProps): readonly string[] {
  return goEmbedded === undefined ? [] : [goEmbedded];
}

function firstOf<T>(list: readonly T[], fault: (item: T) => string | undefined): string | undefined {
  for (const item of list) {
    const found = fault(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The element type of `[]v1.X` and `map[string]v1.X`, where the Go type contains it. */
function elementOf(type: string): string | undefined {
  return /^(?:\[\]|map\[[^\]]*\])(.+)$/.exec(type)?.[1];
}

function isAnything(schema: JsonSchemaProps): boolean {
  return (
    schema.type === undefined || (schema.type === "object" && schema.properties === undefined && schema.additionalProperties === undefined)
  );
}

function fits(value: unknown, schema: JsonSchemaProps): boolean {
  if (schema.type === undefined) return true;
  if (typeof value === "number") return schema.type === "number" || (schema.type === "integer" && isInRange(value, schema));
  return typeof value === schema.type;
}

const ranges: Readonly<Record<string, number>> = { int32: 2 ** 31, int64: 2 ** 63 };

function isInRange(value: number, { format = "int64" }: JsonSchemaProps): boolean {
  const limit = ranges[format] ?? 2 ** 63;
  return Number.isInteger(value) && value >= -limit && value < limit;
}

function unmarshalText(value: unknown, schema: JsonSchemaProps, at: Position): string {
  return cannot(describe(value, schema), at);
}

/** The decoder's name of a wrong value; for integers it includes the number. */
function describe(value: unknown, schema: JsonSchemaProps): string {
  if (typeof value === "number") return schema.type === "integer" ? `number ${value}` : "number";
  if (typeof value === "boolean") return "bool";
  return Array.isArray(value) ? "array" : typeof value;
}

function cannot(what: string, { struct, names, type }: Position): string {
  const place = struct === "" ? "Go value" : `Go struct field ${struct}.${names.join(".")}`;
  return `json: cannot unmarshal ${what} into ${place} of type ${type}`;
}

/** Models apimachinery pkg/runtime/converter.go fromUnstructured */
function conversionText(value: unknown, schema: JsonSchemaProps, { type }: Position): string {
  const found = goKindOf(value);
  if (schema.type === "array") return `cannot restore slice from ${found}`;
  if (schema.type === "object") return `cannot restore ${schema.properties === undefined ? "map from" : "struct from:"} ${found}`;
  const isConvertible = (found === "int64" && schema.type === "string") || (found === "float64" && schema.type === "integer");
  return isConvertible ? `cannot convert ${found} to ${type}` : `unrecognized type: ${scalarKindOf(schema)}`;
}

function goKindOf(value: unknown): string {
  if (typeof value === "number") return Number.isInteger(value) ? "int64" : "float64";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "string") return "string";
  return Array.isArray(value) ? "slice" : "map";
}

function scalarKindOf({ type, format = "int64" }: JsonSchemaProps): string {
  if (type === "integer") return format;
  if (type === "boolean") return "bool";
  return type === "number" ? "float64" : "string";
}
