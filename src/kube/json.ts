import { integerOf } from "../core/object/index.ts";

/** What ECMAScript adds to `JSON.parse`, and the type library does not declare yet: a number's own digits. */
type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown;
const parse: (text: string, reviver: Reviver) => unknown = JSON.parse;

/** A number so long that it may have more digits than a JavaScript number holds. */
const long = /[:,[]\s*-?\d{16}/;

/**
 * Reads JSON without losing a digit: an integer that a number cannot hold becomes an ExactInteger, so that an object
 * which is read, changed and written back says what it said. To look for one costs a fraction of the parsing.
 */
export function readJson(text: string): unknown {
  return long.test(text) ? parse(text, exactly) : JSON.parse(text);
}

function exactly(_key: string, value: unknown, { source }: { readonly source?: string } = {}): unknown {
  return typeof value === "number" && source !== undefined && /^-?\d{16,}$/.test(source) ? integerOf(BigInt(source)) : value;
}
