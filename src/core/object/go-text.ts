import { callNested, runNested, type Nested } from "../recursion/index.ts";
import { isExactInteger } from "./exact-integer.ts";
import { isFields } from "./field.ts";
import { jsonTypeOf } from "./plain-object.ts";

/** Formats a value like Go's `%v`, which some messages of the server and its tools use. */
export function goText(value: unknown): string {
  return runNested(printed(value));
}

function* printed(value: unknown): Nested<string> {
  if (value === null || value === undefined) return "<nil>";
  const parts: string[] = [];
  if (Array.isArray(value)) {
    for (const item of value) parts.push(yield* callNested(printed(item)));
    return `[${parts.join(" ")}]`;
  }
  if (!isFields(value)) return String(value);
  for (const key of Object.keys(value).toSorted()) parts.push(`${key}:${yield* callNested(printed(value[key]))}`);
  return `map[${parts.join(" ")}]`;
}

/** The Go type that a JSON value decodes to. */
export function goTypeOf(value: unknown): string {
  const type = jsonTypeOf(value);
  switch (type) {
    case "null":
      return "%!s(<nil>)";
    case "array":
      return "[]interface {}";
    case "object":
      return "map[string]interface {}";
    case "boolean":
      return "bool";
    case "number":
      return Number.isInteger(value) ? "int64" : "float64";
    default:
      return type;
  }
}

/** Formats a number like Go's `%v`: with an exponent from 1e21 on and below 1e-4. */
export function goNumber(value: number): string {
  if (Number.isInteger(value) || Math.abs(value) >= 1e-4) return String(value);
  return value.toExponential().replace(/e([-+])(\d)$/, "e$10$2");
}

/** Formats JSON like Go: sorted keys, and `<`, `>` and `&` escaped. */
export function goJson(value: unknown): string {
  const sorted = JSON.stringify(value, (_, item: unknown) =>
    isFields(item) && !isExactInteger(item) ? Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1))) : item,
  );
  return (sorted ?? "null").replaceAll(/[<>&\u2028\u2029]/g, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
