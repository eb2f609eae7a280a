import { badRequestError } from "../status-error.ts";

/** The parameters of a query. One that is not well encoded is left out. Models Go's net/url ParseQuery */
export function parseQuery(search: string): URLSearchParams {
  if (!/[%;]/.test(search)) return new URLSearchParams(search);
  const readable = search.split("&").filter((pair) => !pair.includes(";") && !/%(?![0-9a-f]{2})/i.test(pair));
  return new URLSearchParams(readable.join("&"));
}

/**
 * The first value as a boolean: everything but 0 and false is true, also nothing; undefined when it is not given. Models
 * apimachinery pkg/runtime/conversion.go Convert_Slice_string_To_bool
 */
export function booleanParameter(query: URLSearchParams, name: string): boolean | undefined {
  const value = query.get(name);
  return value === null ? undefined : value !== "0" && value.toLowerCase() !== "false";
}

/** The first value as an integer; undefined when it is not given. */
export function integerParameter(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name);
  if (value === null) return undefined;
  if (!/^[+-]?\d+$/.test(value)) throw badRequestError(`strconv.ParseInt: parsing ${JSON.stringify(value)}: invalid syntax`);
  if (BigInt.asIntN(64, BigInt(value)) !== BigInt(value))
    throw badRequestError(`strconv.ParseInt: parsing ${JSON.stringify(value)}: value out of range`);
  return Number(value);
}
