import { Integer, goFunction, type FunctionTable, type GoStruct, type GoValue } from "../../template/index.ts";
import { asGoError } from "../panic.ts";
import { parseInt64Clamped } from "../number/parse.ts";
import type { Environment } from "../environment.ts";
import { durationText, parseGoDuration, roundDuration } from "../time/duration.ts";
import { formatGoTime } from "../time/format.ts";
import { between, later, goTimeAt, zeroTime, type GoTime } from "../time/go-time.ts";
import { parseGoTime } from "../time/parse.ts";
import { goTimeIn, timeScope, timeValue } from "../time/time-value.ts";
import { utc, zoneNamed } from "../time/zone.ts";

const day = "2006-01-02";
const nanosPerSecond = 1_000_000_000n;

/** Dates and durations. */
export function dateFunctions({ now, zone: local = utc }: Environment): FunctionTable {
  const current = () => goTimeAt(now(), local);
  const inZone = (layout: string, date: GoValue, zone: string) => {
    const time = goTimeFromValue(date, ["int", "int32", "int64"]) ?? current();
    return formatGoTime({ ...time, zone: zone === "Local" ? local : (zoneNamed(zone) ?? utc) }, layout);
  };
  const dateInZone = goFunction("func(string, interface {}, string) string", inZone);
  const dateModify = goFunction(
    "func(string, time.Time) time.Time",
    (duration: string, date: GoStruct) => modified(date, tried(duration) ?? 0n),
    timeScope,
  );
  const mustDateModify = goFunction(
    "func(string, time.Time) (time.Time, error)",
    (duration: string, date: GoStruct) =>
      modified(
        date,
        asGoError(() => parseGoDuration(duration)),
      ),
    timeScope,
  );
  return {
    now: goFunction("func() time.Time", () => timeValue(current()), timeScope),
    date: goFunction("func(string, interface {}) string", (layout: string, date: GoValue) => inZone(layout, date, "Local")),
    htmlDate: goFunction("func(interface {}) string", (date: GoValue) => inZone(day, date, "Local")),
    htmlDateInZone: goFunction("func(interface {}, string) string", (date: GoValue, zone: string) => inZone(day, date, zone)),
    dateInZone,
    date_in_zone: dateInZone,
    dateModify,
    date_modify: dateModify,
    mustDateModify,
    must_date_modify: mustDateModify,
    ago: goFunction("func(interface {}) string", (date: GoValue) => {
      const time = goTimeFromValue(date, ["int", "int64"]) ?? current();
      return durationText(roundDuration(between(current(), time), nanosPerSecond));
    }),
    duration: goFunction("func(interface {}) string", (seconds: GoValue) =>
      durationText(BigInt.asIntN(64, (integerIn(seconds) ?? 0n) * nanosPerSecond)),
    ),
    durationRound: goFunction("func(interface {}) string", (value: GoValue) => roughly(lengthIn(value, current))),
    toDate: goFunction(
      "func(string, string) time.Time",
      (layout: string, text: string) => timeValue(triedDate(layout, text, local)),
      timeScope,
    ),
    mustToDate: goFunction(
      "func(string, string) (time.Time, error)",
      (layout: string, text: string) => timeValue(asGoError(() => parseGoTime(layout, text, local))),
      timeScope,
    ),
    unixEpoch: goFunction("func(time.Time) string", (date: GoStruct) => String(goTimeIn(date)?.seconds ?? 0), timeScope),
  };
}

/** A time, or an integer of one of these types as seconds since 1970. */
function goTimeFromValue(date: GoValue, integers: readonly string[]): GoTime | undefined {
  if (date instanceof Integer && integers.includes(date.type.name)) return { seconds: Number(date.value), nanos: 0, zone: utc };
  return goTimeIn(date);
}

function modified(date: GoStruct, duration: bigint): GoStruct {
  return timeValue(later(goTimeIn(date) ?? zeroTime, duration));
}

function tried(duration: string): bigint | undefined {
  try {
    return parseGoDuration(duration);
  } catch {
    // Sprig ignores an invalid duration.
    return undefined;
  }
}

function triedDate(layout: string, text: string, local: GoTime["zone"]): GoTime {
  try {
    return parseGoTime(layout, text, local);
  } catch {
    // Sprig returns the zero time for an invalid date.
    return zeroTime;
  }
}

function integerIn(value: GoValue): bigint | undefined {
  if (typeof value === "string") return parseInt64Clamped(value);
  return value instanceof Integer && value.type.name === "int64" ? value.big : undefined;
}

function lengthIn(value: GoValue, current: () => GoTime): bigint {
  if (typeof value === "string") return tried(value) ?? 0n;
  const time = goTimeIn(value);
  return time === undefined ? (integerIn(value) ?? 0n) : between(current(), time);
}

const hour = 3600n * nanosPerSecond;
const sizes: readonly (readonly [string, bigint])[] = [
  ["y", 365n * 24n * hour],
  ["mo", 30n * 24n * hour],
  ["d", 24n * hour],
  ["h", hour],
  ["m", 60n * nanosPerSecond],
  ["s", nanosPerSecond],
];

/** Formats in the largest unit that the duration exceeds. */
function roughly(duration: bigint): string {
  const size = duration < 0n ? -duration : duration;
  const unit = sizes.find(([, length]) => size > length);
  return unit === undefined ? "0s" : `${size / unit[1]}${unit[0]}`;
}
