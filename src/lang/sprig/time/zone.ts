import { abbreviationsOf } from "./abbreviation.ts";

/** A time zone: its UTC offset and its abbreviation at an instant. */
export type Zone = {
  readonly name: string;
  /** Seconds east of UTC, at an instant in seconds since 1970. */
  readonly offsetAt: (seconds: number) => number;
  readonly abbreviationAt: (seconds: number) => string;
};

export const utc: Zone = { name: "UTC", offsetAt: () => 0, abbreviationAt: () => "UTC" };

/** A zone with a constant offset. Without a name it is printed by its offset. */
export function fixedZone(name: string, offset: number): Zone {
  return { name, offsetAt: () => offset, abbreviationAt: () => name };
}

const loaded = new Map<string, Zone>();

/** A zone of the time zone database, by its exact name; undefined when there is none. */
export function zoneNamed(name: string): Zone | undefined {
  if (name === "" || name === "UTC") return utc;
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const abbreviations = abbreviationsOf(name);
  if (abbreviations === undefined) return undefined;
  const zone = databaseZone(name, abbreviations);
  if (zone !== undefined) loaded.set(name, zone);
  return zone;
}

function databaseZone(name: string, abbreviations: readonly [string, string]): Zone | undefined {
  const format = formatFor(name);
  if (format === undefined) return undefined;
  const offsetAt = (seconds: number) => offsetIn(format, seconds);
  const [standard, summer] = abbreviations;
  const usual = Math.min(offsetAt(1_704_067_200), offsetAt(1_719_792_000));
  return {
    name,
    offsetAt,
    abbreviationAt: (seconds) => {
      const offset = offsetAt(seconds);
      const written = offset > usual ? summer : standard;
      return written === "" ? offsetText(offset) : written;
    },
  };
}

function formatFor(name: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset", year: "numeric" });
  } catch {
    // Intl throws for an unknown zone.
    return undefined;
  }
}

function offsetIn(format: Intl.DateTimeFormat, seconds: number): number {
  const name = format.formatToParts(seconds * 1000).find(({ type }) => type === "timeZoneName")?.value ?? "GMT";
  const found = /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(name);
  if (found === null) return 0;
  const offset = Number(found[2]) * 3600 + Number(found[3]) * 60 + Number(found[4] ?? 0);
  return found[1] === "-" ? -offset : offset;
}

/** The database's name of a zone without letters: `+03`, `-0330`. */
function offsetText(offset: number): string {
  const minutes = Math.trunc(Math.abs(offset) / 60);
  const [hours, rest] = [Math.trunc(minutes / 60), minutes % 60];
  return `${offset < 0 ? "-" : "+"}${String(hours).padStart(2, "0")}${rest === 0 ? "" : String(rest).padStart(2, "0")}`;
}
