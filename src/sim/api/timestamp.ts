/** A time as the API writes it: RFC 3339, UTC, whole seconds. */
export function timestampOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
