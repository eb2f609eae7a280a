export { timeMs, timestampOf as timestamp } from "../../timestamp.ts";

/** Omits zeros, empty strings and undefined, as Go's `omitempty` does. */
export function withoutZeros(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const key in fields) {
    const value = fields[key];
    if (value !== undefined && value !== 0 && value !== "") kept[key] = value;
  }
  return kept;
}
