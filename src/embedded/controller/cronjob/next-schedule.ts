import type { CronSchedule } from "../../builtin/index.ts";
import { momentOf, wallTimeAt, type WallTime } from "./zoned-time.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const longestYears = 5;

/**
 * The first moment after `ms` that is on the schedule; undefined when there is none within five years. Models
 * github.com/robfig/cron/v3 spec.go and constantdelay.go
 */
export function nextScheduleAfter(schedule: CronSchedule, ms: number): number | undefined {
  const second = Math.floor(ms / 1000) * 1000;
  if ("everyMs" in schedule) return second + schedule.everyMs;
  const { zone } = schedule;
  const start = second + 1000;
  const lastYear = wallTimeAt(zone, start).year + longestYears;
  let at = start;
  for (;;) {
    const wall = wallTimeAt(zone, at);
    if (wall.year > lastYear) return undefined;
    const next = laterStart(schedule, wall, at);
    if (next === undefined) return at;
    at = next;
  }
}

type FieldSchedule = Extract<CronSchedule, { minutes: ReadonlySet<number> }>;

/** The start of the next month, day, hour or minute if that of `at` is not on the schedule; undefined if it is. */
function laterStart(schedule: FieldSchedule, wall: WallTime, at: number): number | undefined {
  const { zone, months, hours, minutes } = schedule;
  const { year, month, day, hour, minute, second } = wall;
  if (!months.has(month)) return momentOf(zone, { year, month: month + 1, day: 1 });
  if (!dayMatches(schedule, wall)) return momentOf(zone, { year, month, day: day + 1 });
  // Hours and minutes are counted on, since a wall may show one twice or never.
  if (!hours.has(hour)) return at - minute * minuteMs - second * 1000 + hourMs;
  if (!minutes.has(minute) || second !== 0) return at - second * 1000 + minuteMs;
  return undefined;
}

/** A day fits by month and by week where one of them is free, otherwise by either. */
function dayMatches({ days, weekdays, anyDay }: FieldSchedule, { day, weekday }: WallTime): boolean {
  const [byMonth, byWeek] = [days.has(day), weekdays.has(weekday)];
  return anyDay ? byMonth && byWeek : byMonth || byWeek;
}
