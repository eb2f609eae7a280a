import { fieldsAt, isFields, type Fields } from "../../../core/object/index.ts";
import { isUnset } from "../field-edits.ts";
import shapes from "./go-shapes.json" with { type: "json" };
import { unifiedDiff } from "./unified-diff.ts";

// Some errors quote a value of the server's internal types, as Go's JSON encoder prints it: with Go's field names, and
// with every field, empty or not.

type Shape = readonly (readonly string[])[];
const shapeNamed: Readonly<Record<string, Shape>> = shapes;

/** The internal type that a value of the API is held in: `core.PodTemplateSpec`. */
export type GoType = keyof typeof shapes;

/** `value` as the server prints it. */
export function asGo(value: unknown, type: GoType): unknown {
  return converted(value, type);
}

function converted(value: unknown, code: string): unknown {
  if (code.startsWith("*")) return isUnset(value) ? null : converted(value, code.slice(1));
  if (code.startsWith("[]")) return Array.isArray(value) ? value.map((item) => converted(item, code.slice(2))) : null;
  if (code.startsWith("{}")) return isFields(value) ? convertedMap(value, code.slice(2)) : null;
  if (!isUnset(value)) return code.includes(".") ? convertedStruct(isFields(value) ? value : {}, code) : value;
  return code.includes(".") ? convertedStruct({}, code) : (zeros[code] ?? null);
}

const zeros: Readonly<Record<string, unknown>> = { s: "", n: 0, b: false, q: "0" };

function convertedMap(values: Fields, code: string): Fields {
  const entries = Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, value]) => [key, converted(value, code)]));
}

function convertedStruct(fields: Fields, name: string): Fields {
  const source = name === "core.PodSpec" ? withHostFields(fields) : fields;
  const result: Record<string, unknown> = {};
  for (const [printed = "", wire = "", code = ""] of shapeNamed[name] ?? []) {
    if (printed === "") Object.assign(result, convertedStruct(fieldsAt(source, wire), code));
    else if (!code.endsWith("?")) result[printed] = converted(source[wire], code);
    else if (!isEmpty(source[wire])) result[printed] = converted(source[wire], code.slice(0, -1));
  }
  return result;
}

function isEmpty(value: unknown): boolean {
  if (isUnset(value) || value === "" || value === 0 || value === false) return true;
  return Array.isArray(value) ? value.length === 0 : isFields(value) && Object.keys(value).length === 0;
}

const hostFields = ["hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace", "hostUsers"];

function withHostFields(spec: Fields): Fields {
  const own = Object.fromEntries(hostFields.map((name) => [name, spec[name]]));
  return { ...spec, securityContext: { ...fieldsAt(spec, "securityContext"), ...own } };
}

/** How two values of an internal type differ. Models apimachinery pkg/util/diff Diff */
export function goDiff(before: unknown, after: unknown, type: GoType): string {
  const lines = (value: unknown): readonly string[] => JSON.stringify(asGo(value, type), null, " ").split("\n");
  return unifiedDiff(lines(before), lines(after));
}
