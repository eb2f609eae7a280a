import { quoteForTime } from "./duration.ts";
import { months, weekdays } from "./format.ts";
import { layoutChunks, type LayoutElement, type LayoutChunk } from "./layout.ts";
import { daysIn, isLeap, goTimeOf, type GoTime } from "./go-time.ts";
import { readOffset, zoneNameIn } from "./parse-zone.ts";
import { fixedZone, utc, type Zone } from "./zone.ts";

/** The fields parsed so far; -1 for those that the text does not have. */
type ParsedFields = {
  year: number;
  month: number;
  day: number;
  yearDay: number;
  hour: number;
  minute: number;
  second: number;
  nanos: number;
  half: "am" | "pm" | undefined;
  zone: Zone | undefined;
  offset: number | undefined;
  zoneName: string;
};

/** The text does not match the layout element. */
class LayoutMismatch extends Error {}
/** A field is out of range. */
class OutOfRange extends Error {}

/** Parses a time by a Go layout. A time without a zone is in `local`. Throws with Go's message. */
export function parseGoTime(layout: string, text: string, local: Zone): GoTime {
  const reading: ParsedFields = {
    year: 0,
    month: -1,
    day: -1,
    yearDay: -1,
    hour: 0,
    minute: 0,
    second: 0,
    nanos: 0,
    half: undefined,
    zone: undefined,
    offset: undefined,
    zoneName: "",
  };
  let rest = text;
  for (const chunk of layoutChunks(layout)) rest = readChunk(chunk, rest, reading, { layout, text });
  const objection = normalize(reading);
  if (objection !== undefined) throw new Error(`parsing time ${quoteForTime(text)}: ${objection}`);
  return goTimeFrom(reading, local);
}

type Whole = { readonly layout: string; readonly text: string };

function readChunk(chunk: LayoutChunk, before: string, reading: ParsedFields, whole: Whole): string {
  const cannot = (part: string, as: string) =>
    new Error(
      `parsing time ${quoteForTime(whole.text)} as ${quoteForTime(whole.layout)}: cannot parse ${quoteForTime(part)} as ${quoteForTime(as)}`,
    );
  const { rest, fits } = skip(before, chunk.literal);
  if (!fits) throw cannot(rest, chunk.literal);
  if (chunk.element === undefined) {
    if (rest !== "") throw new Error(`parsing time ${quoteForTime(whole.text)}: extra text: ${quoteForTime(rest)}`);
    return rest;
  }
  try {
    return readElement(chunk.element, chunk, rest, reading);
  } catch (error) {
    if (error instanceof OutOfRange)
      throw new Error(`parsing time ${quoteForTime(whole.text)}: ${error.message} out of range`, { cause: error });
    if (error instanceof LayoutMismatch) throw cannot(rest, chunk.written);
    throw error;
  }
}

/** Skips literal text. A space matches any number of spaces. */
function skip(value: string, literal: string): { rest: string; fits: boolean } {
  let rest = value;
  for (let at = 0; at < literal.length;) {
    if (literal[at] === " ") {
      if (rest !== "" && !rest.startsWith(" ")) return { rest, fits: false };
      while (literal[at] === " ") at++;
      rest = rest.replace(/^ +/, "");
    } else {
      if (rest[0] !== literal[at]) return { rest, fits: false };
      rest = rest.slice(1);
      at++;
    }
  }
  return { rest, fits: true };
}

function readElement(element: LayoutElement, chunk: LayoutChunk, rest: string, reading: ParsedFields): string {
  switch (element) {
    case "2006":
    case "06":
      return readYear(element, rest, reading);
    case "Jan":
    case "January":
      return readName(rest, element === "Jan" ? months.map((name) => name.slice(0, 3)) : months, (index) => (reading.month = index + 1));
    case "Mon":
    case "Monday":
      return readName(rest, element === "Mon" ? weekdays.map((name) => name.slice(0, 3)) : weekdays, () => undefined);
    case "1":
    case "01":
      return readNumber(rest, element === "01", (value) => (reading.month = inRange(value, 1, 12, "month")));
    case "2":
    case "_2":
    case "02":
      return readNumber(element === "_2" ? rest.replace(/^ /, "") : rest, element === "02", (value) => (reading.day = value));
    case "__2":
    case "002":
      return readYearDay(element, rest, reading);
    case "PM":
    case "pm":
      return readHalf(element, rest, reading);
    case "MST":
      return readZoneName(rest, reading);
    case "fraction0":
    case "fraction9":
      return readFraction(element, chunk.written, rest, reading);
    default:
      return readTime(element, chunk, rest, reading);
  }
}

function readTime(element: LayoutElement, chunk: LayoutChunk, rest: string, reading: ParsedFields): string {
  switch (element) {
    case "15":
      return readNumber(rest, false, (value) => (reading.hour = inRange(value, 0, 23, "hour")));
    case "3":
    case "03":
      return readNumber(rest, element === "03", (value) => (reading.hour = inRange(value, 0, 12, "hour")));
    case "4":
    case "04":
      return readNumber(rest, element === "04", (value) => (reading.minute = inRange(value, 0, 59, "minute")));
    case "5":
    case "05":
      return readUndeclaredFraction(
        chunk,
        readNumber(rest, element === "05", (value) => (reading.second = inRange(value, 0, 59, "second"))),
        reading,
      );
    default:
      return readZone(element, rest, reading);
  }
}

function readYear(element: "2006" | "06", rest: string, reading: ParsedFields): string {
  const length = element.length;
  const digits = rest.slice(0, length);
  // Models time.parse, which accepts a sign in a two-digit year.
  if (!(element === "06" ? /^([+-]\d|\d\d)$/ : /^\d{4}$/).test(digits)) throw new LayoutMismatch();
  const year = Number(digits);
  reading.year = element === "2006" ? year : year >= 69 ? 1900 + year : 2000 + year;
  return rest.slice(length);
}

function readName(rest: string, names: readonly string[], take: (index: number) => void): string {
  const index = names.findIndex((name) => rest.slice(0, name.length).toLowerCase() === name.toLowerCase());
  if (index < 0) throw new LayoutMismatch();
  take(index);
  return rest.slice(names[index]!.length);
}

/** Parses one or two digits, or exactly two when `fixed`. */
function readNumber(rest: string, fixed: boolean, take: (value: number) => void): string {
  const digits = (fixed ? /^\d\d/ : /^\d\d?/).exec(rest)?.[0];
  if (digits === undefined) throw new LayoutMismatch();
  take(Number(digits));
  return rest.slice(digits.length);
}

function inRange(value: number, from: number, to: number, what: string): number {
  if (value < from || value > to) throw new OutOfRange(what);
  return value;
}

function readYearDay(element: "__2" | "002", rest: string, reading: ParsedFields): string {
  const trimmed = element === "__2" ? rest.replace(/^ {1,2}/, "") : rest;
  const digits = (element === "002" ? /^\d{3}/ : /^\d{1,3}/).exec(trimmed)?.[0];
  if (digits === undefined) throw new LayoutMismatch();
  reading.yearDay = Number(digits);
  return trimmed.slice(digits.length);
}

function readHalf(element: "PM" | "pm", rest: string, reading: ParsedFields): string {
  const found = rest.slice(0, 2);
  const [before, after] = element === "PM" ? ["AM", "PM"] : ["am", "pm"];
  if (found !== before && found !== after) throw new LayoutMismatch();
  reading.half = found === after ? "pm" : "am";
  return rest.slice(2);
}

/** Parses a fraction after the seconds that the layout does not have. */
function readUndeclaredFraction(chunk: LayoutChunk, rest: string, reading: ParsedFields): string {
  const fraction = /^[.,]\d+/.exec(rest)?.[0];
  if (fraction === undefined) return rest;
  const next = layoutChunks(chunk.rest)[0]?.element;
  if (next === "fraction0" || next === "fraction9") return rest;
  reading.nanos = nanosIn(fraction);
  return rest.slice(fraction.length);
}

function readFraction(element: "fraction0" | "fraction9", written: string, rest: string, reading: ParsedFields): string {
  const fraction = element === "fraction9" ? (/^[.,]\d+/.exec(rest)?.[0] ?? "") : rest.slice(0, written.length);
  if (fraction === "" && element === "fraction9") return rest;
  if (fraction.length < written.length && element === "fraction0") throw new LayoutMismatch();
  if (!/^[.,]\d+$/.test(fraction.slice(0, 10))) throw new LayoutMismatch();
  reading.nanos = nanosIn(fraction);
  return rest.slice(fraction.length);
}

function nanosIn(fraction: string): number {
  return Number(fraction.slice(1, 10).padEnd(9, "0"));
}

function readZoneName(rest: string, reading: ParsedFields): string {
  if (rest.startsWith("UTC")) {
    reading.zone = utc;
    return rest.slice(3);
  }
  const name = zoneNameIn(rest);
  if (name === undefined) throw new LayoutMismatch();
  reading.zoneName = name;
  return rest.slice(name.length);
}

function readZone(element: string, rest: string, reading: ParsedFields): string {
  if (element.startsWith("Z") && rest.startsWith("Z")) {
    reading.zone = utc;
    return rest.slice(1);
  }
  const found = readOffset(element, rest);
  if (found === undefined) throw new LayoutMismatch();
  const { hours, minutes, seconds, sign, length } = found;
  inRange(hours, 0, 24, "time zone offset hour");
  inRange(minutes, 0, 60, "time zone offset minute");
  inRange(seconds, 0, 60, "time zone offset second");
  reading.offset = sign * (hours * 3600 + minutes * 60 + seconds);
  return rest.slice(length);
}

/** Combines the parsed fields. Returns the error of an invalid date. */
function normalize(reading: ParsedFields): string | undefined {
  if (reading.half === "pm" && reading.hour < 12) reading.hour += 12;
  else if (reading.half === "am" && reading.hour === 12) reading.hour = 0;
  if (reading.yearDay >= 0) {
    const objection = normalizeYearDay(reading);
    if (objection !== undefined) return objection;
  }
  if (reading.month < 0) reading.month = 1;
  if (reading.day < 0) reading.day = 1;
  return reading.day < 1 || reading.day > daysIn(reading.month, reading.year) ? "day out of range" : undefined;
}

function normalizeYearDay(reading: ParsedFields): string | undefined {
  if (reading.yearDay < 1 || reading.yearDay > (isLeap(reading.year) ? 366 : 365)) return "day-of-year out of range";
  let [month, day] = [1, reading.yearDay];
  while (day > daysIn(month, reading.year)) day -= daysIn(month++, reading.year);
  if (reading.month >= 0 && reading.month !== month) return "day-of-year does not match month";
  if (reading.day >= 0 && reading.day !== day) return "day-of-year does not match day";
  reading.month = month;
  reading.day = day;
  return undefined;
}

function goTimeFrom(reading: ParsedFields, local: Zone): GoTime {
  const { nanos, zone, offset, zoneName } = reading;
  if (zone !== undefined) return goTimeOf(reading, nanos, zone);
  if (offset === undefined && zoneName === "") return goTimeOf(reading, nanos, local);
  const asUtc = goTimeOf(reading, nanos, utc);
  if (offset !== undefined && offset !== -1) {
    const seconds = asUtc.seconds - offset;
    const isLocal = local.offsetAt(seconds) === offset && (zoneName === "" || local.abbreviationAt(seconds) === zoneName);
    return { seconds, nanos, zone: isLocal ? local : fixedZone(zoneName, offset) };
  }
  return goTimeInNamedZone(asUtc, zoneName, local);
}

/** An abbreviation that the local zone does not use has offset 0, except for `GMT+3` and the like. */
function goTimeInNamedZone(asUtc: GoTime, name: string, local: Zone): GoTime {
  const offset = local.offsetAt(asUtc.seconds);
  const there = asUtc.seconds - offset;
  if (local.abbreviationAt(there) === name) return { seconds: there, nanos: asUtc.nanos, zone: local };
  const hours = name.length > 3 && name.startsWith("GMT") ? Number(name.slice(3)) : 0;
  return { ...asUtc, zone: fixedZone(name, hours * 3600) };
}
