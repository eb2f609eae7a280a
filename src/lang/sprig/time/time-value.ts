import {
  GoStruct,
  ReflectType,
  Integer,
  Pointer,
  goMethod,
  reflectType,
  int,
  int64,
  namedType,
  structType,
  toBytes,
  types,
  type GoFunction,
  type GoValue,
} from "../../template/index.ts";
import { durationText } from "./duration.ts";
import { formatGoTime, goTimeText, months, weekdays } from "./format.ts";
import { between, later, goTimeOf, dateTimeOf, weekdayOf, yearDayOf, zeroTime, type GoTime } from "./go-time.ts";
import { utc, type Zone } from "./zone.ts";

/** time.Duration, in nanoseconds. */
const goDurationType: ReflectType = namedType("time.Duration", types.int64, {
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

const monthType: ReflectType = namedType("time.Month", types.int, {
  methods: { String: goMethod("func() string", ({ value }: Integer) => months[Number(value) - 1] ?? `%!Month(${value})`) },
});

const weekdayType: ReflectType = namedType("time.Weekday", types.int, {
  methods: { String: goMethod("func() string", ({ value }: Integer) => weekdays[Number(value)] ?? `%!Weekday(${value})`) },
});

// The methods refer to the type itself, so they are added after it.
const methods = new Map<string, GoFunction>();
const uint64 = reflectType("uint64");
const locationType = namedType("time.Location", structType({}));
const shape = structType({ wall: uint64, ext: types.int64, loc: locationType.pointerTo });

/** time.Time, as templates see it. */
const timeType = new ReflectType("time.Time", "struct", shape, { underlying: shape, methods });

/** The named types that signatures with times refer to. */
export const timeScope: Readonly<Record<string, ReflectType>> = {
  "time.Time": timeType,
  "time.Duration": goDurationType,
  "time.Month": monthType,
  "time.Weekday": weekdayType,
};

/** One location for each zone, because pointers to the same one are equal. */
const locations = new WeakMap<Zone, Pointer>();

function locationOf(zone: Zone): Pointer {
  const known = locations.get(zone) ?? new Pointer(locationType.pointerTo, new GoStruct(locationType, {}, { own: zone }));
  locations.set(zone, known);
  return known;
}

/** Two times are equal if these fields are. `printf "%d"` shows them as those of a time without a monotonic reading. */
export function timeValue({ seconds, nanos, zone }: GoTime): GoStruct {
  return new GoStruct(timeType, {
    wall: new Integer(uint64, nanos),
    // Go counts from the year 1.
    ext: int64(seconds - zeroTime.seconds),
    loc: locationOf(zone),
  });
}

/** The time of a time.Time; undefined for other values. */
export function goTimeIn(value: GoValue): GoTime | undefined {
  return value instanceof GoStruct && value.type === timeType ? goTimeOfStruct(value) : undefined;
}

function goTimeOfStruct(time: GoStruct): GoTime {
  const [wall, ext, location] = [time.field("wall"), time.field("ext"), time.field("loc")];
  if (!(wall instanceof Integer) || !(ext instanceof Integer)) return zeroTime;
  const own = location instanceof Pointer && location.target instanceof GoStruct ? location.target.own : undefined;
  return { seconds: Number(ext.value) + zeroTime.seconds, nanos: Number(wall.value), zone: isZone(own) ? own : utc };
}

function isZone(own: unknown): own is Zone {
  return typeof own === "object" && own !== null && "offsetAt" in own;
}

const jsonLayout = "2006-01-02T15:04:05.999999999Z07:00";

function method(name: string, signature: string, call: (time: GoTime, ...parameters: never[]) => GoValue): void {
  const onTime = (time: GoStruct, ...parameters: never[]) => call(goTimeOfStruct(time), ...parameters);
  methods.set(name, goMethod(signature, onTime, timeScope));
}

method("String", "func() string", goTimeText);
method("Format", "func(string) string", (time, layout: string) => formatGoTime(time, layout));
method("Unix", "func() int64", ({ seconds }) => int64(seconds));
method("UnixMilli", "func() int64", ({ seconds, nanos }) => int64(seconds * 1000 + Math.floor(nanos / 1e6)));
method("UnixMicro", "func() int64", ({ seconds, nanos }) => int64(BigInt(seconds) * 1_000_000n + BigInt(Math.floor(nanos / 1000))));
method("UnixNano", "func() int64", ({ seconds, nanos }) => int64(BigInt.asIntN(64, BigInt(seconds) * 1_000_000_000n + BigInt(nanos))));
method("Year", "func() int", (time) => int(dateTimeOf(time).year));
method("Month", "func() time.Month", (time) => new Integer(monthType, dateTimeOf(time).month));
method("Day", "func() int", (time) => int(dateTimeOf(time).day));
method("Hour", "func() int", (time) => int(dateTimeOf(time).hour));
method("Minute", "func() int", (time) => int(dateTimeOf(time).minute));
method("Second", "func() int", (time) => int(dateTimeOf(time).second));
method("Nanosecond", "func() int", ({ nanos }) => int(nanos));
method("YearDay", "func() int", (time) => int(yearDayOf(time)));
method("Weekday", "func() time.Weekday", (time) => new Integer(weekdayType, weekdayOf(time)));
method("UTC", "func() time.Time", (time) => timeValue({ ...time, zone: utc }));
method("Local", "func() time.Time", timeValue);
method("IsZero", "func() bool", ({ seconds, nanos }) => seconds === zeroTime.seconds && nanos === 0);
method("Add", "func(time.Duration) time.Time", (time, duration: Integer) => timeValue(later(time, duration.big)));
method(
  "Sub",
  "func(time.Time) time.Duration",
  (time, other: GoStruct) => new Integer(goDurationType, between(time, goTimeOfStruct(other))),
);
method("After", "func(time.Time) bool", (time, other: GoStruct) => between(time, goTimeOfStruct(other)) > 0n);
method("Before", "func(time.Time) bool", (time, other: GoStruct) => between(time, goTimeOfStruct(other)) < 0n);
method("Equal", "func(time.Time) bool", (time, other: GoStruct) => between(time, goTimeOfStruct(other)) === 0n);
method("Compare", "func(time.Time) int", (time, other: GoStruct) => {
  const difference = between(time, goTimeOfStruct(other));
  return int(difference < 0n ? -1 : difference > 0n ? 1 : 0);
});
method("AddDate", "func(int, int, int) time.Time", (time, years: Integer, more: Integer, days: Integer) => {
  const parts = dateTimeOf(time);
  const moved = {
    ...parts,
    year: parts.year + Number(years.value),
    month: parts.month + Number(more.value),
    day: parts.day + Number(days.value),
  };
  return timeValue(goTimeOf(moved, time.nanos, time.zone));
});
method("MarshalText", "func() ([]uint8, error)", (time) => toBytes(formatGoTime(time, jsonLayout)));
method("MarshalJSON", "func() ([]uint8, error)", (time) => toBytes(`"${formatGoTime(time, jsonLayout)}"`));
