import type { JsonSchemaProps } from "./json-schema-props.ts";

/** An error message, or a value of another type than expected. */
type Decoded = { readonly fault: string | undefined; readonly mismatch?: { readonly found: string; readonly type: string } };

const fine: Decoded = { fault: undefined };

/** Types with their own JSON decoding and error messages. Undefined for all others. */
export function decodeSpecial(value: unknown, schema: JsonSchemaProps): Decoded | undefined {
  const name = schema.definition ?? "";
  if (name.endsWith(".resource.Quantity")) return quantity(value);
  if (name.endsWith(".intstr.IntOrString")) return intOrString(value);
  if (name.endsWith(".v1.Time")) return time(value, "2006-01-02T15:04:05Z07:00", false);
  if (name.endsWith(".v1.MicroTime")) return time(value, "2006-01-02T15:04:05.000000Z07:00", true);
  if (schema.type === "string" && schema.format === "byte" && typeof value === "string") return base64(value);
  return undefined;
}

const amount = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?$/;
const expected = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** Models apimachinery pkg/api/resource/quantity.go UnmarshalJSON, ParseQuantity */
function quantity(value: unknown): Decoded {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (amount.test(text)) return fine;
  const [, number, suffix = ""] = /^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$/.exec(text) ?? [];
  const isSuffixBad = number !== undefined && suffix !== "" && /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(number);
  return { fault: isSuffixBad ? "unable to parse quantity's suffix" : expected };
}

/** Models apimachinery pkg/util/intstr/intstr.go UnmarshalJSON */
function intOrString(value: unknown): Decoded {
  if (typeof value === "string") return fine;
  if (typeof value === "number") {
    const fits = Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31;
    return fits ? fine : { fault: undefined, mismatch: { found: `number ${value}`, type: "int32" } };
  }
  return { fault: undefined, mismatch: { found: wordFor(value), type: "int32" } };
}

function wordFor(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value;
}

const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

/** Models apimachinery pkg/apis/meta/v1/time.go UnmarshalJSON */
function time(value: unknown, layout: string, needsFraction: boolean): Decoded {
  if (typeof value !== "string") return { fault: undefined, mismatch: { found: wordFor(value), type: "string" } };
  const match = rfc3339.exec(value);
  if (match !== null && (match[1] !== undefined || !needsFraction)) return fine;
  return { fault: `parsing time ${JSON.stringify(value)} as ${JSON.stringify(layout)}: cannot parse ${restOf(value, layout)}` };
}

const elements = ["2006", "-", "01", "-", "02", "T", "15", ":", "04", ":", "05", ".000000", "Z07:00"];
const readers: Readonly<Record<string, RegExp>> = { "2006": /^\d{4}/, "Z07:00": /^(?:Z|[+-]\d{2}:\d{2})/, ".000000": /^\.\d{6}/ };

/** Names the first part of the layout that the text does not match, and the rest of the text. */
function restOf(text: string, layout: string): string {
  let rest = text;
  for (const element of elements.filter((part) => layout.includes(part))) {
    const reader = readers[element] ?? (/^\d+$/.test(element) ? /^\d{2}/ : undefined);
    const found = reader === undefined ? (rest.startsWith(element) ? element : undefined) : reader.exec(rest)?.[0];
    if (found === undefined) return `${JSON.stringify(rest)} as ${JSON.stringify(element)}`;
    rest = rest.slice(found.length);
  }
  return `${JSON.stringify(rest)} as "Z07:00"`;
}

/** Models Go's encoding/base64 decodeQuantum, which reports the byte of the error. */
function base64(text: string): Decoded {
  const plain = text.replaceAll(/[\r\n]/g, "");
  if (/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(plain)) return fine;
  return { fault: `illegal base64 data at input byte ${corruptByte(plain)}` };
}

function corruptByte(plain: string): number {
  const at = plain.search(/[^A-Za-z0-9+/]/);
  if (at < 0) return plain.length - (plain.length % 4);
  const place = at % 4;
  if (plain[at] !== "=" || place < 2) return at;
  // After two digits there are two signs of padding; nothing follows them.
  if (place === 3) return at + 1;
  if (at + 1 === plain.length) return plain.length;
  return plain[at + 1] === "=" ? at + 2 : at;
}
