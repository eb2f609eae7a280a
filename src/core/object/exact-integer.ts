/**
 * An integer that a JavaScript number cannot hold exactly. `JSON.stringify` writes all its digits, so it reaches a
 * server unchanged. To everything else it is opaque.
 */
type ExactInteger = { readonly rawJSON: string };

/** ECMAScript's `JSON.rawJSON`, which the type library does not declare yet. */
type RawJson = { rawJSON(text: string): ExactInteger; isRawJSON(value: unknown): value is ExactInteger };
const json = JSON as unknown as RawJson;

/** A number when it holds every digit, otherwise an ExactInteger. */
export function integerOf(value: bigint): number | ExactInteger {
  const number = Number(value);
  return String(number) === String(value) ? number : json.rawJSON(String(value));
}

export function isExactInteger(value: unknown): value is ExactInteger {
  return json.isRawJSON(value);
}
