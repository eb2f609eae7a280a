import { firstDocument } from "../parse/parse-yaml.ts";
import type { DecodeTarget } from "../parse/decode-target.ts";
import { fieldOf, metadataFields, topFields } from "./field.ts";
import { NonStringScalar } from "./non-string-scalar.ts";

/** The first number of a manifest that JSON cannot represent, except for those that become strings. */
export function firstNonFiniteInHead(text: string, target: DecodeTarget): number | undefined {
  const value = firstDocument(text, target, { findNonFinite: () => undefined })?.value;
  return value instanceof Map ? inFields(value as ReadonlyMap<string, unknown>, topFields) : find(value);
}

function inFields(map: ReadonlyMap<string, unknown>, fields: readonly string[]): number | undefined {
  for (const [key, value] of [...map].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const found = inField(fieldOf(key, fields), value);
    if (found !== undefined) return found;
  }
  return undefined;
}

function inField(field: string | undefined, value: unknown): number | undefined {
  const isText = field === "apiVersion" || field === "kind" || field === "name";
  if (isText && value instanceof NonStringScalar) return undefined;
  if (field === "metadata" && value instanceof Map) return inFields(value as ReadonlyMap<string, unknown>, metadataFields);
  if (field === "annotations" && value instanceof Map)
    return find([...(value as ReadonlyMap<string, unknown>).values()].filter((item) => !(item instanceof NonStringScalar)));
  return find(value);
}

function find(value: unknown): number | undefined {
  if (value instanceof NonStringScalar) {
    const number = value.resolved.value;
    return typeof number === "number" && !Number.isFinite(number) ? number : undefined;
  }
  const items =
    value instanceof Map
      ? [...(value as ReadonlyMap<string, unknown>)].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item)
      : value;
  if (!Array.isArray(items)) return undefined;
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
