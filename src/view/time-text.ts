/** The locales that are asked for the abbreviation of a time zone, in this order. Each knows only those of its own region. */
const locales = ["en-US", "en-GB", "en-AU", "en-NZ", "en-ZA", "en-IN"];

/**
 * A time as Go prints it, `2023-08-20 08:23:11 -0700 PDT`; empty for an invalid time. `zone` is a name of the time zone
 * database. Where it has no abbreviation the offset is printed twice, as in Go.
 */
export function goTime(time: string | undefined, zone: string): string {
  const moment = new Date(time ?? "");
  if (Number.isNaN(moment.getTime())) return "";
  const offset = /[+-]\d\d:\d\d/.exec(zoneText("en-US", moment, zone, "longOffset"))?.[0].replace(":", "") ?? "+0000";
  const name = locales.map((locale) => zoneText(locale, moment, zone, "short")).find((text) => /^[A-Z]+$/.test(text)) ?? offset;
  return `${wallClock(moment, zone)} ${offset} ${name}`;
}

function zoneText(locale: string, moment: Date, timeZone: string, timeZoneName: "short" | "longOffset"): string {
  const parts = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName }).formatToParts(moment);
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
}

/** `2023-08-20 08:23:11` in the time zone. */
function wallClock(moment: Date, timeZone: string): string {
  const two = "2-digit";
  const shape = { year: "numeric", month: two, day: two, hour: two, minute: two, second: two, hourCycle: "h23" } as const;
  const parts = new Intl.DateTimeFormat("en-US", { timeZone, ...shape }).formatToParts(moment);
  const of = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? "";
  return `${of("year")}-${of("month")}-${of("day")} ${of("hour")}:${of("minute")}:${of("second")}`;
}
