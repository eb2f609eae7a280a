import { isFields } from "../../core/object/index.ts";
import { decodeSpecial } from "./decode-special.ts";
import { goTypeOfSchema, goStructOfSchema } from "./go-type.ts";
import { fieldSchema } from "./prune-unknown-fields.ts";
import type { JsonSchemaProps } from "./json-schema-props.ts";

/** The position of the decoder: the surrounding struct, the names of the path, and the expected type. */
type Position = { readonly struct: string; readonly names: Names; readonly type: string };

/** The names of a path from its end: paths that begin alike share their beginning. */
type Names = { readonly name: string; readonly before: Names } | undefined;

/** A value that is still to be decoded. */
type Pending = { readonly value: unknown; readonly schema: JsonSchemaProps; readonly at: Position };

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
  const at = { struct: "", names: undefined, type: goTypeOfSchema(schema) };
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
  return faultIn(value, schema, { struct: "", names: undefined, type: goTypeOfSchema(schema) }, conversionText);
}

/** The first fault in a value, which may be nested deeper than the stack allows. */
function faultIn(value: unknown, schema: JsonSchemaProps, at: Position, wording: Wording): string | undefined {
  const pending: Pending[] = [{ value, schema, at }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const fault = ownFault(next, wording, pending);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** What is wrong with a value but for what is in it, which is pending. */
function ownFault({ value, schema, at }: Pending, wording: Wording, pending: Pending[]): string | undefined {
  if (value === null || value === undefined) return undefined;
  const special = decodeSpecial(value, schema);
  if (special !== undefined) {
    if (special.mismatch === undefined) return wording === conversionText ? convertedFault(special.fault) : special.fault;
    const { found, type } = special.mismatch;
    // Such a type decodes JSON of its own, so its position is unknown in a conversion.
    return cannot(found, wording === conversionText ? { struct: "", names: undefined, type } : { ...at, type });
  }
  if (typeof value !== "object")
    return fits(value, schema) || (wording === conversionText && wraps(value, schema)) ? undefined : wording(value, schema, at);
  if (isAnything(schema)) return undefined;
  if (schema.type !== (Array.isArray(value) ? "array" : "object")) return wording(value, schema, at);
  const below = Array.isArray(value) ? itemsOf(value, schema, at) : isFields(value) ? fieldsOf(value, schema, at) : [];
  // The first comes last, which is taken first.
  for (const child of below.reverse()) pending.push(child);
  return undefined;
}

/** A conversion decodes bytes by JSON of their own. Models apimachinery pkg/runtime/converter.go sliceFromUnstructured */
function convertedFault(fault: string | undefined): string | undefined {
  return fault?.startsWith("illegal base64 ") === true ? `error decoding from json: ${fault}` : fault;
}

function itemsOf(list: readonly unknown[], { items }: JsonSchemaProps, at: Position): Pending[] {
  if (items === undefined) return [];
  const type = elementOf(at.type) ?? goTypeOfSchema(items);
  return list.map((value) => ({ value, schema: items, at: { ...at, type } }));
}

function fieldsOf(fields: Readonly<Record<string, unknown>>, schema: JsonSchemaProps, at: Position): Pending[] {
  const struct = schema.properties === undefined ? undefined : goStructOfSchema(schema);
  const found: Pending[] = [];
  for (const [name, value] of Object.entries(fields)) {
    const known = fieldSchema(schema, name)?.schema;
    if (known === undefined) continue;
    // Only struct fields are part of the path; keys of maps and indexes of lists are not.
    const position =
      struct === undefined
        ? { ...at, type: elementOf(at.type) ?? goTypeOfSchema(known) }
        : { struct, names: { name, before: withEmbedded(at.names, known) }, type: goTypeOfSchema(known) };
    found.push({ value, schema: known, at: position });
  }
  return found;
}

function withEmbedded(names: Names, { goEmbedded }: JsonSchemaProps): Names {
  return goEmbedded === undefined ? names : { name: goEmbedded, before: names };
}

function pathOf(names: Names): string {
  const path: string[] = [];
  for (let last = names; last !== undefined; last = last.before) path.push(last.name);
  return path.reverse().join(".");
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

/** A conversion of whole numbers takes the lowest bits of one that is too large. */
function wraps(value: unknown, { type }: JsonSchemaProps): boolean {
  return type === "integer" && typeof value === "number" && Number.isInteger(value);
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
  const place = struct === "" ? "Go value" : `Go struct field ${struct}.${pathOf(names)}`;
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
