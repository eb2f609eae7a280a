import {
  GoStruct,
  GoType,
  Integer,
  goMethod,
  goType,
  int,
  int64,
  namedType,
  structType,
  toBytes,
  types,
  type GoFunction,
  type Value,
} from "../../template/index.ts";
import { durationText } from "./duration.ts";
import { formatMoment, momentText, months, weekdays } from "./format.ts";
import { between, later, momentOf, partsOf, weekdayOf, yearDayOf, zeroMoment, type Moment } from "./moment.ts";
import { utc, type Zone } from "./zone.ts";

/** A length of time in nanoseconds. */
export const durationType: GoType = namedType("time.Duration", types.int64, {
  methods: {
    String: goMethod("func() string", (duration: Integer) => durationText(duration.big)),
    Hours: goMethod("func() float64", (duration: Integer) => Number(duration.big) / 3.6e12),
    Minutes: goMethod("func() float64", (duration: Integer) => Number(duration.big) / 6e10),
    Seconds: goMethod("func() float64", (duration: Integer) => Number(duration.big) / 1e9),
    Milliseconds: goMethod("func() int64", (duration: Integer) => int64(duration.big / 1_000_000n)),
    Microseconds: goMethod("func() int64", (duration: Integer) => int64(duration.big / 1000n)),
    Nanoseconds: goMethod("func() int64", (duration: Integer) => int64(duration.big)),
  },
});

const monthType: GoType = namedType("time.Month", types.int, {
  methods: { String: goMethod("func() string", ({ value }: Integer) => months[Number(value) - 1] ?? `%!Month(${value})`) },
});

const weekdayType: GoType = namedType("time.Weekday", types.int, {
  methods: { String: goMethod("func() string", ({ value }: Integer) => weekdays[Number(value)] ?? `%!Weekday(${value})`) },
});

// Its methods name the type itself: they are filled in behind it.
const methods = new Map<string, GoFunction>();
const uint64 = goType("uint64");
const locationType = namedType("time.Location", structType({}));
const shape = structType({ wall: uint64, ext: types.int64, loc: locationType });

/** What a template sees of a moment. */
export const timeType = new GoType("time.Time", "struct", shape, { underlying: shape, methods });

/** Named types that signatures with times mention. */
export const timeScope: Readonly<Record<string, GoType>> = {
  "time.Time": timeType,
  "time.Duration": durationType,
  "time.Month": monthType,
  "time.Weekday": weekdayType,
};

// Two times are equal where these are.
export function timeValue({ seconds, nanos, zone }: Moment): GoStruct {
  return new GoStruct(timeType, {
    wall: new Integer(uint64, nanos),
    ext: int64(seconds),
    loc: new GoStruct(locationType, {}, { own: zone }),
  });
}

/** The moment of a time.Time; undefined for other values. */
export function momentIn(value: Value): Moment | undefined {
  return value instanceof GoStruct && value.type === timeType ? momentOfTime(value) : undefined;
}

function momentOfTime(time: GoStruct): Moment {
  const [wall, ext, location] = [time.field("wall"), time.field("ext"), time.field("loc")];
  if (!(wall instanceof Integer) || !(ext instanceof Integer)) return zeroMoment;
  const zone = location instanceof GoStruct && isZone(location.own) ? location.own : utc;
  return { seconds: Number(ext.value), nanos: Number(wall.value), zone };
}

function isZone(own: unknown): own is Zone {
  return typeof own === "object" && own !== null && "offsetAt" in own;
}

const jsonLayout = "2006-01-02T15:04:05.999999999Z07:00";

function method(name: string, signature: string, call: (moment: Moment, ...parameters: never[]) => Value): void {
  const onTime = (time: GoStruct, ...parameters: never[]) => call(momentOfTime(time), ...parameters);
  methods.set(name, goMethod(signature, onTime, timeScope));
}

method("String", "func() string", momentText);
method("Format", "func(string) string", (moment, layout: string) => formatMoment(moment, layout));
method("Unix", "func() int64", ({ seconds }) => int64(seconds));
method("UnixMilli", "func() int64", ({ seconds, nanos }) => int64(seconds * 1000 + Math.floor(nanos / 1e6)));
method("UnixMicro", "func() int64", ({ seconds, nanos }) => int64(BigInt(seconds) * 1_000_000n + BigInt(Math.floor(nanos / 1000))));
method("UnixNano", "func() int64", ({ seconds, nanos }) => int64(BigInt.asIntN(64, BigInt(seconds) * 1_000_000_000n + BigInt(nanos))));
method("Year", "func() int", (moment) => int(partsOf(moment).year));
method("Month", "func() time.Month", (moment) => new Integer(monthType, partsOf(moment).month));
method("Day", "func() int", (moment) => int(partsOf(moment).day));
method("Hour", "func() int", (moment) => int(partsOf(moment).hour));
method("Minute", "func() int", (moment) => int(partsOf(moment).minute));
method("Second", "func() int", (moment) => int(partsOf(moment).second));
method("Nanosecond", "func() int", ({ nanos }) => int(nanos));
method("YearDay", "func() int", (moment) => int(yearDayOf(moment)));
method("Weekday", "func() time.Weekday", (moment) => new Integer(weekdayType, weekdayOf(moment)));
method("UTC", "func() time.Time", (moment) => timeValue({ ...moment, zone: utc }));
method("Local", "func() time.Time", timeValue);
method("IsZero", "func() bool", ({ seconds, nanos }) => seconds === zeroMoment.seconds && nanos === 0);
method("Add", "func(time.Duration) time.Time", (moment, duration: Integer) => timeValue(later(moment, duration.big)));
method(
  "Sub",
  "func(time.Time) time.Duration",
  (moment, other: GoStruct) => new Integer(durationType, between(moment, momentOfTime(other))),
);
method("After", "func(time.Time) bool", (moment, other: GoStruct) => between(moment, momentOfTime(other)) > 0n);
method("Before", "func(time.Time) bool", (moment, other: GoStruct) => between(moment, momentOfTime(other)) < 0n);
method("Equal", "func(time.Time) bool", (moment, other: GoStruct) => between(moment, momentOfTime(other)) === 0n);
method("Compare", "func(time.Time) int", (moment, other: GoStruct) => {
  const difference = between(moment, momentOfTime(other));
  return int(difference < 0n ? -1 : difference > 0n ? 1 : 0);
});
method("AddDate", "func(int, int, int) time.Time", (moment, years: Integer, more: Integer, days: Integer) => {
  const parts = partsOf(moment);
  const moved = {
    ...parts,
    year: parts.year + Number(years.value),
    month: parts.month + Number(more.value),
    day: parts.day + Number(days.value),
  };
  return timeValue(momentOf(moved, moment.nanos, moment.zone));
});
method("MarshalText", "func() ([]uint8, error)", (moment) => toBytes(formatMoment(moment, jsonLayout)));
method("MarshalJSON", "func() ([]uint8, error)", (moment) => toBytes(`"${formatMoment(moment, jsonLayout)}"`));
