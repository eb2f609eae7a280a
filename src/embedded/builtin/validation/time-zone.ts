/** The zones of the database that Go reads, as this runtime knows them; unlike the runtime, Go takes their names to the letter. */
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

/** Every part of a zone's name begins with a capital or a digit, but for words like "of" and "es" inside of it. */
function isSpelledAsKnown(zone: string): boolean {
  return zone.split("/").every((part) => /^[A-Z0-9]/.test(part) && !/^[A-Z]{4,}$/.test(part));
}
