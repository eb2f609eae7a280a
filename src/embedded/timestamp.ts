let second = -1;
let text = "";

/** A time as the API writes it: RFC 3339, UTC, whole seconds. Caches the last second, which most writes share. */
export function timestampOf(ms: number): string {
  const asked = Math.floor(ms / 1000);
  if (asked !== second) {
    second = asked;
    text = `${new Date(asked * 1000).toISOString().slice(0, 19)}Z`;
  }
  return text;
}

/** A time that the API wrote, in milliseconds; undefined when there is none. */
export function timeMs(written: unknown): number | undefined {
  if (typeof written !== "string") return undefined;
  const ms = Date.parse(written);
  return Number.isNaN(ms) ? undefined : ms;
}
