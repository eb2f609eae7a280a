import { isFields, ownField, type Fields } from "../../../core/object/index.ts";

/** JSON as Go's encoder writes it, which escapes what HTML would read. Undefined fields are left out. */
export function marshalGoJson(value: unknown): string {
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The fields of a list in JSON; undefined for anything else. */
export function unmarshalItems(text: string): readonly Fields[] | undefined {
  const value = parsed(text);
  return Array.isArray(value) && value.every(isFields) ? value : undefined;
}

/** The fields of an object in JSON; undefined for anything else. */
export function unmarshalFields(text: string): Fields | undefined {
  const value = parsed(text);
  return isFields(value) ? value : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Go ignores what it cannot decode here
  }
}

/** A field by its name in any case, as Go's decoder finds it. */
export function fieldInAnyCase(fields: Fields, name: string): unknown {
  const exact = ownField(fields, name);
  if (exact !== undefined) return exact;
  const found = Object.keys(fields).find((key) => key.toLowerCase() === name.toLowerCase());
  return found === undefined ? undefined : fields[found];
}
