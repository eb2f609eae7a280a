export { timestampOf as timestamp } from "../../timestamp.ts";

/** Milliseconds of a time that the API wrote; undefined when there is none. */
export function timeMs(text: unknown): number | undefined {
  if (typeof text !== "string") return undefined;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}

/** Omits zeros, empty strings and undefined, as Go's `omitempty` does. */
export function withoutZeros(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const key in fields) {
    const value = fields[key];
    if (value !== undefined && value !== 0 && value !== "") kept[key] = value;
  }
  return kept;
}
