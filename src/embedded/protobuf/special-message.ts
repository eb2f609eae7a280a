import { isFields, type Fields } from "../../core/object/index.ts";
import { ProtobufFault } from "./wire-reader.ts";

/** A message whose JSON form is not an object of its fields: how the one becomes the other. */
type SpecialMessage = {
  /** The fields of the message for a value in JSON. Undefined and null are its zero. */
  readonly fieldsOf: (value: unknown) => Fields;
  /** The value in JSON of fields that were read. Undefined when it has none. */
  readonly valueOf: (fields: Fields) => unknown;
};

/** The special messages by their letters; see `ValueLetter`. */
export const specialMessages = {
  q: {
    fieldsOf: (value) => ({ string: value === undefined || value === null ? "0" : String(value) }),
    valueOf: ({ string }) => string ?? "0",
  },
  i: {
    fieldsOf: (value) => (typeof value === "string" ? { type: 1, strVal: value } : { intVal: value }),
    valueOf: ({ type, intVal, strVal }) => (type === 1 ? (strVal ?? "") : (intVal ?? 0)),
  },
  t: { fieldsOf: (value) => timestamp(value, false), valueOf: (fields) => timeOf(fields, false) },
  u: { fieldsOf: (value) => timestamp(value, true), valueOf: (fields) => timeOf(fields, true) },
  r: {
    fieldsOf: (value) => (value === undefined || value === null ? {} : { raw: JSON.stringify(value) }),
    valueOf: ({ raw }) => (typeof raw === "string" ? parsedOrUndefined(raw) : undefined),
  },
  w: { fieldsOf: (items) => ({ items }), valueOf: ({ items }) => items ?? [] },
  A: {
    fieldsOf: (value) => (Array.isArray(value) ? { jSONSchemas: value } : { schema: value }),
    valueOf: ({ schema, jSONSchemas }) => jSONSchemas ?? schema,
  },
  B: {
    fieldsOf: (value) => (isFields(value) ? { allows: true, schema: value } : { allows: value === true }),
    valueOf: ({ allows, schema }) => schema ?? allows === true,
  },
  S: {
    fieldsOf: (value) => (Array.isArray(value) ? { property: value } : { schema: value }),
    valueOf: ({ schema, property }) => property ?? schema,
  },
} satisfies Readonly<Record<string, SpecialMessage>> as Readonly<Record<string, SpecialMessage>>;

/** Go keeps bytes that are no JSON until they are needed as JSON, and then does without them. */
function parsedOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A time that is zero has no fields. Only a MicroTime has parts of a second. Models apimachinery pkg/apis/meta/v1/time_proto.go */
function timestamp(value: unknown, isMicro: boolean): Fields {
  const ms = typeof value === "string" ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(ms)) return { isZero: true };
  const fraction = isMicro ? (/\.(\d+)/.exec(String(value))?.[1] ?? "") : "";
  return { seconds: Math.floor(ms / 1000), nanos: Number(fraction.slice(0, 6).padEnd(6, "0")) * 1000 };
}

const firstSecond = -62_167_219_200;
const lastSecond = 253_402_300_799;

function timeOf({ seconds = 0, nanos = 0 }: Fields, isMicro: boolean): unknown {
  if (seconds === 0 && nanos === 0) return undefined;
  const whole = Number(seconds);
  if (whole < firstSecond || whole > lastSecond) throw new ProtobufFault("Time.MarshalJSON: year outside of range [0,9999]");
  const text = new Date(whole * 1000).toISOString().slice(0, 19);
  if (!isMicro) return `${text}Z`;
  return `${text}.${String(Math.trunc(Math.abs(Number(nanos)) / 1000) % 1_000_000).padStart(6, "0")}Z`;
}
