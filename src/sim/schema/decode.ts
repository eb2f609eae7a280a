import { isFields } from "../../object/index.ts";
import { decodeSpecial } from "./decode-special.ts";
import { goTypeOf, structOf } from "./go-type.ts";
import { fieldSchema } from "./prune.ts";
import type { Schema } from "./schema.ts";

/** Where the decoder stands: the struct around it, the names that led there, and the type that it is to fill. */
type Position = { readonly struct: string; readonly names: readonly string[]; readonly type: string };

/**
 * Why Go's decoder would refuse a value of a built-in kind, in its words (`json: cannot unmarshal string into Go struct
 * field DeploymentSpec.spec.replicas of type int32`); undefined when it would not. The first fault is told.
 *
 * Models sigs.k8s.io/json internal/golang/encoding/json/decode.go
 */
export function decodeError(value: unknown, schema: Schema): string | undefined {
  return faultIn(value, schema, { struct: "", names: [], type: goTypeOf(schema) });
}

function faultIn(value: unknown, schema: Schema, at: Position): string | undefined {
  if (value === null || value === undefined) return undefined;
  const special = decodeSpecial(value, schema);
  if (special !== undefined)
    return special.mismatch === undefined ? special.fault : cannot(special.mismatch.found, { ...at, type: special.mismatch.type });
  if (Array.isArray(value)) return faultInList(value, schema, at);
  if (isFields(value)) return faultInFields(value, schema, at);
  return fits(value, schema) ? undefined : cannot(describe(value, schema), at);
}

function faultInList(list: readonly unknown[], schema: Schema, at: Position): string | undefined {
  if (isAnything(schema)) return undefined;
  if (schema.type !== "array") return cannot("array", at);
  const { items } = schema;
  if (items === undefined) return undefined;
  const type = elementOf(at.type) ?? goTypeOf(items);
  return firstOf(list, (item) => faultIn(item, items, { ...at, type }));
}

function faultInFields(fields: Readonly<Record<string, unknown>>, schema: Schema, at: Position): string | undefined {
  if (isAnything(schema)) return undefined;
  if (schema.type !== "object") return cannot("object", at);
  return firstOf(Object.entries(fields), ([name, child]) => {
    const known = fieldSchema(schema, name)?.schema;
    if (known === undefined) return undefined;
    const isNamed = schema.properties !== undefined;
    // Only fields of structs are told; the keys of a map and the places in a list are not.
    if (!isNamed) return faultIn(child, known, { ...at, type: elementOf(at.type) ?? goTypeOf(known) });
    return faultIn(child, known, { struct: structOf(schema), names: [...at.names, ...embeddedIn(known), name], type: goTypeOf(known) });
  });
}

function embeddedIn({ goEmbedded }: Schema): readonly string[] {
  return goEmbedded === undefined ? [] : [goEmbedded];
}

function firstOf<T>(list: readonly T[], fault: (item: T) => string | undefined): string | undefined {
  for (const item of list) {
    const found = fault(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The type of the members of `[]v1.X` and `map[string]v1.X`, where the Go type says so. */
function elementOf(type: string): string | undefined {
  return /^(?:\[\]|map\[[^\]]*\])(.+)$/.exec(type)?.[1];
}

function isAnything(schema: Schema): boolean {
  return (
    schema.type === undefined || (schema.type === "object" && schema.properties === undefined && schema.additionalProperties === undefined)
  );
}

function fits(value: unknown, schema: Schema): boolean {
  if (schema.type === undefined) return true;
  if (typeof value === "number") return schema.type === "number" || (schema.type === "integer" && isInRange(value, schema));
  return typeof value === schema.type;
}

const ranges: Readonly<Record<string, number>> = { int32: 2 ** 31, int64: 2 ** 63 };

function isInRange(value: number, { format = "int64" }: Schema): boolean {
  const limit = ranges[format] ?? 2 ** 63;
  return Number.isInteger(value) && value >= -limit && value < limit;
}

/** What the decoder calls a value that does not fit; of numbers that are of no use to an integer it tells which. */
function describe(value: unknown, schema: Schema): string {
  if (typeof value === "number") return schema.type === "integer" ? `number ${value}` : "number";
  return typeof value === "boolean" ? "bool" : "string";
}

function cannot(what: string, { struct, names, type }: Position): string {
  const place = struct === "" ? "Go value" : `Go struct field ${struct}.${names.join(".")}`;
  return `json: cannot unmarshal ${what} into ${place} of type ${type}`;
}
