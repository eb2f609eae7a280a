import { fail } from "./failure.ts";
import type { CelTimestamp } from "./value.ts";

/** The local date and time of a timestamp in a zone, as a Date whose UTC fields hold them. */
export function localDate({ nanos }: CelTimestamp, zone: string): Date {
  const floor = nanos >= 0n ? nanos / 1_000_000n : (nanos - 999_999n) / 1_000_000n;
  const utc = Number(floor);
  return new Date(utc + offsetMs(zone, utc));
}

function offsetMs(zone: string, utc: number): number {
  if (zone === "" || zone === "UTC") return 0;
  const fixed = /^([+-]?)(\d+):(\d+)$/.exec(zone);
  if (fixed === null) return namedOffset(zone, utc);
  const minutes = Number(fixed[2]) * 60 + Number(fixed[3]);
  return (fixed[1] === "-" ? -minutes : minutes) * 60_000;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterFor(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known !== undefined) return known;
  try {
    const made = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset", year: "numeric" });
    formatters.set(zone, made);
    return made;
  } catch {
    // Intl throws for an unknown zone.
    return fail(`unknown time zone ${zone}`);
  }
}

function namedOffset(zone: string, utc: number): number {
  // Intl would also accept "+01" as a zone.
  if (!/^[A-Za-z]/.test(zone)) return fail(`unknown time zone ${zone}`);
  const name =
    formatterFor(zone)
      .formatToParts(utc)
      .find(({ type }) => type === "timeZoneName")?.value ?? "GMT";
  const found = /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(name);
  if (found === null) return 0;
  const seconds = Number(found[2]) * 3600 + Number(found[3]) * 60 + Number(found[4] ?? 0);
  return (found[1] === "-" ? -seconds : seconds) * 1000;
}
