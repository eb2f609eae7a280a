/** A moment as a clock on the wall of a time zone shows it. Months and days of the month begin at 1, Sunday is day 0. */
export type WallTime = {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
};

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (format === undefined) {
    const numeric = "numeric";
    const fields = { year: numeric, month: numeric, day: numeric, hour: numeric, minute: numeric, second: numeric } as const;
    formats.set(zone, (format = new Intl.DateTimeFormat("en-US", { timeZone: zone, hourCycle: "h23", ...fields })));
  }
  return format;
}

/** How far a zone is ahead of UTC at a moment, in milliseconds. */
export function zoneOffset(zone: string, ms: number): number {
  if (zone === "" || zone === "UTC") return 0;
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(ms / 1000) * 1000;
}

export function wallTimeAt(zone: string, ms: number): WallTime {
  const shifted = new Date(ms + zoneOffset(zone, ms));
  return {
    year: shifted.getUTCFullYear(),
    month: shifted.getUTCMonth() + 1,
    day: shifted.getUTCDate(),
    weekday: shifted.getUTCDay(),
    hour: shifted.getUTCHours(),
    minute: shifted.getUTCMinutes(),
    second: shifted.getUTCSeconds(),
  };
}

/** The moment at which a wall shows the time; one that it skips is moved as Go's time.Date does it. Months and days may overflow. */
export function momentOf(
  zone: string,
  { year, month, day, hour = 0 }: Pick<WallTime, "year" | "month" | "day"> & { hour?: number },
): number {
  const guess = Date.UTC(year, month - 1, day, hour);
  return guess - zoneOffset(zone, guess - zoneOffset(zone, guess));
}
