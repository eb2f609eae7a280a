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
const descriptors = new Set(["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"]);

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
  if (descriptors.has(spec)) return undefined;
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
