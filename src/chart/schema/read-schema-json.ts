import { anyList, fromPlain, GoMap, GoScalar, type GoValue } from "../../lang/template/index.ts";
import { jsonNumber } from "./number.ts";
import { SchemaFault } from "./validation-error.ts";

/** Parses the JSON of a schema. Throws a SchemaFault when it is none. */
export function readSchemaJson(text: string): GoValue {
  if (text.trim() === "") throw new SchemaFault("EOF");
  try {
    return valueOf(JSON.parse(text, numberWithDigits));
  } catch (error) {
    throw error instanceof SyntaxError ? new SchemaFault(error.message) : error;
  }
}

/** Keeps the digits of numbers, because messages show them. */
function numberWithDigits(_: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === "number" ? new GoScalar(jsonNumber, context?.source ?? String(value)) : value;
}

function valueOf(json: unknown): GoValue {
  if (json instanceof GoScalar) return json;
  if (Array.isArray(json)) return anyList(json.map(valueOf));
  if (typeof json !== "object" || json === null) return fromPlain(json);
  return new GoMap(
    undefined,
    Object.entries(json).map(([key, item]) => [key, valueOf(item)]),
  );
}
