import { fail } from "./failure.ts";
import { CelDuration, CelTimestamp } from "./value.ts";

const second = 1_000_000_000n;
/** From the start of the year 1 to the end of 9999. */
const [earliest, latest] = [-62_135_596_800n * second, 253_402_300_800n * second - 1n];
const [shortest, longest] = [-(2n ** 63n), 2n ** 63n - 1n];

export function checkedTimestamp(nanos: bigint): CelTimestamp {
  return nanos < earliest || nanos > latest ? fail("timestamp overflow") : new CelTimestamp(nanos);
}

export function checkedDuration(nanos: bigint): CelDuration {
  return nanos < shortest || nanos > longest ? fail("integer overflow") : new CelDuration(nanos);
}

export function addDuration({ nanos }: CelTimestamp, more: bigint): CelTimestamp {
  return checkedTimestamp(nanos + more);
}

const moment = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** Parses an RFC 3339 timestamp; undefined when it is invalid. */
export function parseTimestamp(text: string): CelTimestamp | undefined {
  const found = moment.exec(text);
  if (found === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, seconds = 0] = found.slice(1, 7).map(Number);
  const date = utc(year, month, day, hour, minute, seconds);
  if (date === undefined) return undefined;
  const fraction = BigInt((found[7] ?? "").slice(0, 9).padEnd(9, "0"));
  const offset = (found[8] === "-" ? -1 : 1) * (Number(found[9] ?? 0) * 60 + Number(found[10] ?? 0));
  if (Number(found[9] ?? 0) > 24 || Number(found[10] ?? 0) > 59) return undefined;
  return new CelTimestamp((BigInt(date) - BigInt(offset) * 60_000n) * 1_000_000n + fraction);
}

/** Milliseconds since 1970; undefined when the date or time does not exist. */
function utc(year: number, month: number, day: number, hour: number, minute: number, seconds: number): number | undefined {
  if (hour > 23 || minute > 59 || seconds > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  return date.setUTCHours(hour, minute, seconds);
}

export function parseDate(text: string): CelTimestamp | undefined {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? parseTimestamp(`${text}T00:00:00Z`) : undefined;
}

/** RFC 3339 with the significant digits of the fraction. */
export function printTimestamp({ nanos }: CelTimestamp): string {
  const rest = ((nanos % second) + second) % second;
  const iso = new Date(Number((nanos - rest) / 1_000_000n)).toISOString();
  return `${iso.slice(0, iso.length - 5)}${fractionOf(rest)}Z`;
}

function fractionOf(nanos: bigint): string {
  const digits = String(nanos).padStart(9, "0").replace(/0+$/, "");
  return digits === "" ? "" : `.${digits}`;
}

const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: second,
  m: 60n * second,
  h: 3600n * second,
};

const part = /(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/y;

/** Parses a Go duration (`1h30m`, `-1.5s`); undefined when it is invalid. */
export function parseCelDuration(text: string): CelDuration | undefined {
  const unsigned = text.replace(/^[+-]/, "");
  if (unsigned === "0") return new CelDuration(0n);
  if (unsigned === "") return undefined;
  let nanos = 0n;
  part.lastIndex = 0;
  while (part.lastIndex < unsigned.length) {
    const found = part.exec(unsigned);
    if (found === null) return undefined;
    const [, whole = "", fraction = "", unit = ""] = found;
    if (whole === "" && fraction === "") return undefined;
    const scale = units[unit] ?? 1n;
    nanos += BigInt(whole === "" ? 0 : whole) * scale + (BigInt(`0${fraction}`) * scale) / 10n ** BigInt(fraction.length);
  }
  const signed = text.startsWith("-") ? -nanos : nanos;
  return signed < shortest || signed > longest ? undefined : new CelDuration(signed);
}

const words: readonly (readonly [names: readonly string[], unit: string])[] = [
  [["ns", "nano"], "ns"],
  [["us", "µs", "micro"], "us"],
  [["ms", "milli"], "ms"],
  [["s", "sec"], "s"],
  [["m", "min"], "m"],
  [["h", "hr", "hour"], "h"],
  [["d", "day"], "d"],
  [["w", "wk", "week"], "w"],
];
const longer: Readonly<Record<string, bigint>> = { ...units, d: 86_400n * second, w: 604_800n * second };

/**
 * Parses OpenAPI's format `duration`: a Go duration, or numbers with words (`2 days`). Models kube-openapi
 * pkg/validation/strfmt/duration.go
 */
export function parseOpenApiDuration(text: string): CelDuration | undefined {
  const plain = parseCelDuration(text);
  if (plain !== undefined) return plain;
  let nanos: bigint | undefined;
  for (const [, digits = "", word = ""] of text.matchAll(/(\d+)\s*([A-Za-zµ]+)/g)) {
    const unit = words.find(([names]) => names.includes(word.toLowerCase()) || word.startsWith(names.at(-1) ?? word));
    if (unit !== undefined) nanos = (nanos ?? 0n) + BigInt(digits) * (longer[unit[1]] ?? 0n);
  }
  return nanos === undefined ? undefined : new CelDuration(nanos);
}

/** Prints a duration in seconds, as CEL does. */
export function printDuration({ nanos }: CelDuration): string {
  const size = nanos < 0n ? -nanos : nanos;
  return `${nanos < 0n ? "-" : ""}${size / second}${fractionOf(size % second)}s`;
}
