/** A time as Kubernetes writes it in an object: RFC 3339 in UTC, without a fraction of a second. */
export function timeText(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");
}
