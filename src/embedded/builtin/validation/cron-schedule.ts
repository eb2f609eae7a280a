import { isTimeZone } from "./time-zone.ts";

// Models github.com/robfig/cron/v3 parser.go, the standard five fields and the descriptors

type Bounds = { readonly low: number; readonly high: number; readonly names: Readonly<Record<string, number>> };

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const fields: readonly Bounds[] = [
  { low: 0, high: 59, names: {} },
  { low: 0, high: 23, names: {} },
  { low: 1, high: 31, names: {} },
  { low: 1, high: 12, names: Object.fromEntries(months.map((name, index) => [name, index + 1])) },
  { low: 0, high: 6, names: Object.fromEntries(days.map((name, index) => [name, index])) },
];
const descriptors: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

/** Why a schedule cannot be parsed, as the parser words it, or undefined. */
export function cronScheduleProblem(schedule: string): string | undefined {
  const zone = /^(?:CRON_)?TZ=([^ ]*) /.exec(schedule)?.[1];
  if (zone !== undefined && !isTimeZone(zone)) return `provided bad location ${zone}: unknown time zone ${zone}`;
  const spec = schedule.replace(/^(?:CRON_)?TZ=[^ ]* */, "");
  if (spec === "") return "empty spec string";
  if (spec.startsWith("@")) return descriptorProblem(spec);
  const parts = spec.trim().split(/\s+/);
  if (parts.length !== 5) return `expected exactly 5 fields, found ${parts.length}: ${goList(parts)}`;
  return parts
    .map((part, index) => fieldProblem(part, fields[index] ?? { low: 0, high: 0, names: {} }))
    .find((problem) => problem !== undefined);
}

function goList(parts: readonly string[]): string {
  return `[${parts.join(" ")}]`;
}

function descriptorProblem(spec: string): string | undefined {
  if (Object.hasOwn(descriptors, spec)) return undefined;
  if (!spec.startsWith("@every ")) return `unrecognized descriptor: ${spec}`;
  const duration = spec.slice("@every ".length);
  return /^[+-]?(?:0|(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(duration)
    ? undefined
    : `failed to parse duration ${spec}: time: invalid duration ${JSON.stringify(duration)}`;
}

function fieldProblem(field: string, bounds: Bounds): string | undefined {
  return field
    .split(",")
    .filter((part) => part !== "")
    .map((part) => rangeProblem(part, bounds))
    .find((problem) => problem !== undefined);
}

function rangeProblem(range: string, bounds: Bounds): string | undefined {
  const [span = "", step, ...more] = range.split("/");
  const ends = span.split("-");
  if (ends.length > 2) return `too many hyphens: ${range}`;
  const all = span === "*" || span === "?";
  const start = all ? bounds.low : numberOf(ends[0] ?? "", bounds);
  if (typeof start === "string") return start;
  const end = all ? bounds.high : ends[1] === undefined ? start : numberOf(ends[1], bounds);
  if (typeof end === "string") return end;
  if (more.length > 0) return `too many slashes: ${range}`;
  const pace = step === undefined ? 1 : numberOf(step, { ...bounds, names: {} });
  if (typeof pace === "string") return pace;
  return limitsProblem(range, { start, end: step !== undefined && ends[1] === undefined && !all ? bounds.high : end, pace }, bounds);
}

type Range = { readonly start: number; readonly end: number; readonly pace: number };

function limitsProblem(range: string, { start, end, pace }: Range, { low, high }: Bounds): string | undefined {
  if (start < low) return `beginning of range (${start}) below minimum (${low}): ${range}`;
  if (end > high) return `end of range (${end}) above maximum (${high}): ${range}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${range}`;
  return pace === 0 ? `step of range should be a positive number: ${range}` : undefined;
}

function numberOf(text: string, { names }: Bounds): number | string {
  const named = names[text.toLowerCase()];
  if (named !== undefined) return named;
  if (/^[+-]?[0-9]{19,}$/.test(text))
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: value out of range`;
  if (/^[+]?[0-9]+$/.test(text)) return Number(text);
  if (/^-[0-9]+$/.test(text)) return `negative number (${text}) not allowed: ${text}`;
  return `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
}

/** When a schedule is met: at fixed distances, or when a wall of the zone shows one of these times. */
export type CronSchedule =
  | { readonly everyMs: number }
  | {
      readonly zone: string;
      readonly minutes: ReadonlySet<number>;
      readonly hours: ReadonlySet<number>;
      readonly days: ReadonlySet<number>;
      readonly months: ReadonlySet<number>;
      readonly weekdays: ReadonlySet<number>;
      /** The day of the month or the day of the week is free, so that both must fit. */
      readonly anyDay: boolean;
    };

/** The schedule of a text, or undefined if it cannot be parsed. */
export function cronScheduleOf(text: string): CronSchedule | undefined {
  if (cronScheduleProblem(text) !== undefined) return undefined;
  const zone = /^(?:CRON_)?TZ=([^ ]*) /.exec(text)?.[1] ?? "";
  const spec = text.replace(/^(?:CRON_)?TZ=[^ ]* */, "");
  if (spec.startsWith("@every ")) return { everyMs: Math.max(1000, Math.floor(durationMs(spec.slice("@every ".length)) / 1000) * 1000) };
  const parts = (descriptors[spec] ?? spec).trim().split(/\s+/);
  const [minutes, hours, days, months, weekdays] = parts.map((part, index) => numbersOf(part, fields[index]!));
  return {
    zone,
    minutes: minutes!,
    hours: hours!,
    days: days!,
    months: months!,
    weekdays: weekdays!,
    anyDay: isFree(parts[2]!) || isFree(parts[4]!),
  };
}

function isFree(field: string): boolean {
  return field.split(",").some((part) => /^[*?](?:\/1)?$/.test(part));
}

function numbersOf(field: string, bounds: Bounds): ReadonlySet<number> {
  return new Set(
    field
      .split(",")
      .filter((part) => part !== "")
      .flatMap((part) => rangeNumbers(part, bounds)),
  );
}

function rangeNumbers(range: string, bounds: Bounds): readonly number[] {
  const [span = "", step] = range.split("/");
  const [from = "", to] = span.split("-");
  const isAll = span === "*" || span === "?";
  const start = isAll ? bounds.low : Number(numberOf(from, bounds));
  const last = to === undefined ? (step === undefined ? start : bounds.high) : Number(numberOf(to, bounds));
  const end = isAll ? bounds.high : last;
  const pace = step === undefined ? 1 : Number(step);
  return Array.from({ length: Math.floor((end - start) / pace) + 1 }, (_, index) => start + index * pace);
}

const unitMs: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, µs: 1e-3, μs: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** A duration of Go that has been checked: `1h30m`. */
function durationMs(text: string): number {
  const parts = [...text.matchAll(/([0-9.]+)(ns|us|µs|μs|ms|s|m|h)/g)];
  return parts.reduce((sum, [, count = "0", unit = "s"]) => sum + Number(count) * (unitMs[unit] ?? 0), 0);
}
