/** The time zones that Go accepts, as this runtime knows them. Unlike the runtime, Go compares their names case-sensitively. */
const links = new Set([
  "",
  "UTC",
  "GMT",
  "EST",
  "MST",
  "HST",
  "EST5EDT",
  "CST6CDT",
  "MST7MDT",
  "PST8PDT",
  "CET",
  "MET",
  "EET",
  "WET",
  "UCT",
  "Zulu",
  "Universal",
]);

export function isTimeZone(zone: string): boolean {
  if (links.has(zone)) return true;
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions();
    return timeZone !== "" && !/^[+-]/.test(zone) && isSpelledAsKnown(zone);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Every part of a zone's name begins with a capital or a digit, except words like "of" and "es". */
function isSpelledAsKnown(zone: string): boolean {
  return zone.split("/").every((part) => /^[A-Z0-9]/.test(part) && !/^[A-Z]{4,}$/.test(part));
}
