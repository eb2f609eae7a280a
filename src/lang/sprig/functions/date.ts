import { Integer, goFunction, type FunctionTable, type GoStruct, type Value } from "../../template/index.ts";
import { asGoError } from "../panic.ts";
import { nearestInteger } from "../number/parse.ts";
import type { Surroundings } from "../surroundings.ts";
import { durationText, parseDuration, roundDuration } from "../time/duration.ts";
import { formatMoment } from "../time/format.ts";
import { between, later, momentAt, zeroMoment, type Moment } from "../time/moment.ts";
import { parseMoment } from "../time/parse.ts";
import { momentIn, timeScope, timeValue } from "../time/value.ts";
import { utc, zoneNamed } from "../time/zone.ts";

const day = "2006-01-02";
const nanosPerSecond = 1_000_000_000n;

/** Dates and lengths of time. */
export function dateFunctions({ now, zone: local = utc }: Surroundings): FunctionTable {
  const current = () => momentAt(now(), local);
  const inZone = (layout: string, date: Value, zone: string) => {
    const moment = momentFrom(date, ["int", "int32", "int64"]) ?? current();
    return formatMoment({ ...moment, zone: zone === "Local" ? local : (zoneNamed(zone) ?? utc) }, layout);
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
        asGoError(() => parseDuration(duration)),
      ),
    timeScope,
  );
  return {
    now: goFunction("func() time.Time", () => timeValue(current()), timeScope),
    date: goFunction("func(string, interface {}) string", (layout: string, date: Value) => inZone(layout, date, "Local")),
    htmlDate: goFunction("func(interface {}) string", (date: Value) => inZone(day, date, "Local")),
    htmlDateInZone: goFunction("func(interface {}, string) string", (date: Value, zone: string) => inZone(day, date, zone)),
    dateInZone,
    date_in_zone: dateInZone,
    dateModify,
    date_modify: dateModify,
    mustDateModify,
    must_date_modify: mustDateModify,
    ago: goFunction("func(interface {}) string", (date: Value) => {
      const moment = momentFrom(date, ["int", "int64"]) ?? current();
      return durationText(roundDuration(between(current(), moment), nanosPerSecond));
    }),
    duration: goFunction("func(interface {}) string", (seconds: Value) =>
      durationText(BigInt.asIntN(64, (integerIn(seconds) ?? 0n) * nanosPerSecond)),
    ),
    durationRound: goFunction("func(interface {}) string", (value: Value) => roughly(lengthIn(value, current))),
    toDate: goFunction(
      "func(string, string) time.Time",
      (layout: string, text: string) => timeValue(triedDate(layout, text, local)),
      timeScope,
    ),
    mustToDate: goFunction(
      "func(string, string) (time.Time, error)",
      (layout: string, text: string) => timeValue(asGoError(() => parseMoment(layout, text, local))),
      timeScope,
    ),
    unixEpoch: goFunction("func(time.Time) string", (date: GoStruct) => String(momentIn(date)?.seconds ?? 0), timeScope),
  };
}

/** A time, or seconds since 1970 in one of the integer types that count. */
function momentFrom(date: Value, integers: readonly string[]): Moment | undefined {
  if (date instanceof Integer && integers.includes(date.type.name)) return { seconds: Number(date.value), nanos: 0, zone: utc };
  return momentIn(date);
}

function modified(date: GoStruct, duration: bigint): GoStruct {
  return timeValue(later(momentIn(date) ?? zeroMoment, duration));
}

function tried(duration: string): bigint | undefined {
  try {
    return parseDuration(duration);
  } catch {
    // Sprig passes over what it cannot read.
    return undefined;
  }
}

function triedDate(layout: string, text: string, local: Moment["zone"]): Moment {
  try {
    return parseMoment(layout, text, local);
  } catch {
    // Likewise: what is no date is the zero time.
    return zeroMoment;
  }
}

function integerIn(value: Value): bigint | undefined {
  if (typeof value === "string") return nearestInteger(value);
  return value instanceof Integer && value.type.name === "int64" ? value.big : undefined;
}

function lengthIn(value: Value, current: () => Moment): bigint {
  if (typeof value === "string") return tried(value) ?? 0n;
  const moment = momentIn(value);
  return moment === undefined ? (integerIn(value) ?? 0n) : between(current(), moment);
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

/** In the largest unit that is exceeded. */
function roughly(duration: bigint): string {
  const size = duration < 0n ? -duration : duration;
  const unit = sizes.find(([, length]) => size > length);
  return unit === undefined ? "0s" : `${size / unit[1]}${unit[0]}`;
}
