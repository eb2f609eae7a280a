import { utc, type Zone } from "./zone.ts";

/** A time.Time: an instant with nanoseconds, and a time zone. */
export type GoTime = {
  /** Since 1970, rounded down. */
  readonly seconds: number;
  readonly nanos: number;
  readonly zone: Zone;
};

/** A date and time of day in the zone. */
export type DateTime = {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
};

const day = 86_400;

/** January 1 of the year 1, which Go calls the zero time. */
export const zeroTime: GoTime = { seconds: -62_135_596_800, nanos: 0, zone: utc };

export function goTimeAt(milliseconds: number, zone: Zone): GoTime {
  const seconds = Math.floor(milliseconds / 1000);
  return { seconds, nanos: Math.round((milliseconds - seconds * 1000) * 1e6), zone };
}

/** Adds a duration in nanoseconds. */
export function later({ seconds, nanos, zone }: GoTime, duration: bigint): GoTime {
  const sum = BigInt(nanos) + duration;
  const carry = sum >= 0n ? sum / 1_000_000_000n : (sum - 999_999_999n) / 1_000_000_000n;
  return { seconds: seconds + Number(carry), nanos: Number(sum - carry * 1_000_000_000n), zone };
}

const longest = 2n ** 63n - 1n;

/** The nanoseconds from `b` to `a`, clamped to 64 bits. */
export function between(a: GoTime, b: GoTime): bigint {
  const exact = BigInt(a.seconds - b.seconds) * 1_000_000_000n + BigInt(a.nanos - b.nanos);
  return exact > longest ? longest : exact < -longest - 1n ? -longest - 1n : exact;
}

/** The offset from UTC in seconds. */
export function utcOffsetOf({ seconds, zone }: GoTime): number {
  return zone.offsetAt(seconds);
}

export function dateTimeOf(time: GoTime): DateTime {
  const local = time.seconds + utcOffsetOf(time);
  const days = Math.floor(local / day);
  const rest = local - days * day;
  return { ...dateOf(days), hour: Math.floor(rest / 3600), minute: Math.floor((rest % 3600) / 60), second: rest % 60 };
}

/** From 0 for Sunday. */
export function weekdayOf(time: GoTime): number {
  const days = Math.floor((time.seconds + utcOffsetOf(time)) / day);
  return (((days + 4) % 7) + 7) % 7;
}

/** From 1. */
export function yearDayOf(time: GoTime): number {
  const { year } = dateTimeOf(time);
  return Math.floor((time.seconds + utcOffsetOf(time)) / day) - daysBefore(year, 1, 1) + 1;
}

/** Seconds since 1970 of a date and time in UTC. Fields out of range carry over. */
export function secondsOf({ year, month, day: date, hour, minute, second }: DateTime): number {
  const months = year * 12 + month - 1;
  const days = daysBefore(Math.floor(months / 12), (((months % 12) + 12) % 12) + 1, 1) + date - 1;
  return days * day + hour * 3600 + minute * 60 + second;
}

/** The instant at which a zone's clocks show this date and time. */
export function goTimeOf(parts: DateTime, nanos: number, zone: Zone): GoTime {
  const wall = secondsOf(parts);
  // Models time.Date: tries the offset at the guess, then the one across the transition.
  const guess = zone.offsetAt(wall);
  if (guess === 0) return { seconds: wall, nanos, zone };
  const seconds = wall - guess;
  const actual = zone.offsetAt(seconds);
  return { seconds: actual === guess ? seconds : wall - actual, nanos, zone };
}

export function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

export function daysIn(month: number, year: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Days from 1970-01-01 to a Gregorian date. Counts years from March. */
function daysBefore(year: number, month: number, date: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + date - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

function dateOf(days: number): { year: number; month: number; day: number } {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  const date = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day: date };
}
