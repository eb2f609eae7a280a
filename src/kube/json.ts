import { integerOf } from "../core/object/index.ts";

/** The third argument of a `JSON.parse` reviver, which the type library does not declare yet. */
type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown;
const parse: (text: string, reviver: Reviver) => unknown = JSON.parse;

/** A number with possibly more digits than a JavaScript number holds. */
const long = /[:,[]\s*-?\d{16}/;

/**
 * Parses JSON without losing digits: an integer that a number cannot hold becomes an ExactInteger, so that an object
 * survives reading and writing. The test for one costs a fraction of the parsing.
 */
export function readJson(text: string): unknown {
  return long.test(text) ? parse(text, exactly) : JSON.parse(text);
}

function exactly(_key: string, value: unknown, { source }: { readonly source?: string } = {}): unknown {
  return typeof value === "number" && source !== undefined && /^-?\d{16,}$/.test(source) ? integerOf(BigInt(source)) : value;
}
