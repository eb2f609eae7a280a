/**
 * An integer that a JavaScript number cannot hold to the last digit. `JSON.stringify` writes it with all its digits, so
 * it reaches a server as it was written; to everything else it is an opaque value.
 */
export type ExactInteger = { readonly rawJSON: string };

/** What ECMAScript's `JSON.rawJSON` proposal adds, which the type library does not declare yet. */
type RawJson = { rawJSON(text: string): ExactInteger; isRawJSON(value: unknown): value is ExactInteger };
const json = JSON as unknown as RawJson;

/** The integer as a number if that keeps every digit, else as an ExactInteger. */
export function integerOf(value: bigint): number | ExactInteger {
  const number = Number(value);
  return String(number) === String(value) ? number : json.rawJSON(String(value));
}

export function isExactInteger(value: unknown): value is ExactInteger {
  return json.isRawJSON(value);
}
