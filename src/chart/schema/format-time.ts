import { quote } from "../../lang/template/index.ts";

const monthDays = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** `2006-01-02`, in the words of Go's time.Parse. */
export function dateProblem(text: string): string | undefined {
  const found = /^(\d{4})-(\d{2})-(\d{2})(.*)$/s.exec(text);
  if (found === null) return unreadable(text);
  const [year, month, day] = [Number(found[1]), Number(found[2]), Number(found[3])];
  const where = `parsing time ${quote(text)}`;
  if (month < 1 || month > 12) return `${where}: month out of range`;
  if (found[4] !== "") return `${where}: extra text: ${quote(found[4] ?? "")}`;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && !isLeap ? 28 : monthDays[month - 1]!;
  return day < 1 || day > days ? `${where}: day out of range` : undefined;
}

/** Names the first part that does not fit the layout, as time.Parse does. */
function unreadable(text: string): string {
  const parts: readonly (readonly [RegExp, string])[] = [
    [/^\d{4}/, "2006"],
    [/^-/, "-"],
    [/^\d{2}/, "01"],
    [/^-/, "-"],
    [/^\d{2}/, "02"],
  ];
  let rest = text;
  for (const [pattern, layout] of parts) {
    const found = pattern.exec(rest);
    if (found === null) return `parsing time ${quote(text)} as "2006-01-02": cannot parse ${quote(rest)} as ${quote(layout)}`;
    rest = rest.slice(found[0].length);
  }
  return `parsing time ${quote(text)} as "2006-01-02"`;
}

export function timeProblem(text: string): string | undefined {
  if (Buffer.byteLength(text) < 9) return "less than 9 characters long";
  if (text[2] !== ":" || text[5] !== ":") return "missing colon in correct place";
  if (!/^\d\d:\d\d:\d\d/.test(text)) return "invalid hour/min/sec";
  const [hour, minute, second] = [Number(text.slice(0, 2)), Number(text.slice(3, 5)), Number(text.slice(6, 8))];
  if (hour > 23 || minute > 59 || second > 60) return "hour/min/sec out of range";
  const [, dot = "", digits = "", zone = ""] = /^(\.?)(\d*)(.*)$/s.exec(text.slice(8)) ?? [];
  if (dot === "." && digits === "") return "no digits in second fraction";
  const offset = offsetIn(dot === "" ? digits + zone : zone);
  if (typeof offset === "string") return offset;
  const minutes = (hour * 60 + minute - offset + 24 * 60) % (24 * 60);
  return second >= 60 && minutes !== 23 * 60 + 59 ? "invalid leap second" : undefined;
}

/** Minutes ahead of UTC, or what is wrong. */
function offsetIn(zone: string): number | string {
  if (zone === "z" || zone === "Z") return 0;
  if (zone.length !== 6) return "offset must be 6 characters long";
  if (zone[0] !== "+" && zone[0] !== "-") return "offset must begin with plus/minus";
  if (zone[3] !== ":") return "missing colon in offset in correct place";
  if (!/^.\d\d:\d\d$/.test(zone)) return "invalid hour/min in offset";
  const [hour, minute] = [Number(zone.slice(1, 3)), Number(zone.slice(4))];
  if (hour > 23 || minute > 59) return "hour/min in offset out of range";
  return (zone.startsWith("-") ? -1 : 1) * (hour * 60 + minute);
}

export function dateTimeProblem(text: string): string | undefined {
  if (Buffer.byteLength(text) < 20) return "less than 20 characters long";
  if (text[10] !== "t" && text[10] !== "T") return "11th character must be t or T";
  return about("invalid date element", dateProblem(text.slice(0, 10))) ?? about("invalid time element", timeProblem(text.slice(11)));
}

export function durationProblem(text: string): string | undefined {
  if (!text.startsWith("P")) return "must start with P";
  const rest = text.slice(1);
  if (rest === "") return "nothing after P";
  if (rest.endsWith("W")) {
    const weeks = rest.slice(0, -1);
    return weeks === "" ? "no number in week" : /^\d+$/.test(weeks) ? undefined : "invalid week";
  }
  for (const [index, part] of rest.split("T").entries()) {
    if (index !== 0 && part === "") return "no time elements";
    if (index > 1) return "more than one T";
    const problem = unitsProblem(part, index === 0 ? "YMD" : "HMS");
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function unitsProblem(part: string, all: string): string | undefined {
  let units = all;
  for (let rest = part; rest !== "";) {
    const [digits = ""] = /^\d*/.exec(rest) ?? [];
    if (digits === "") return "missing number";
    const unit = rest[digits.length];
    if (unit === undefined) return "missing unit";
    const at = units.indexOf(unit);
    if (at < 0) return all.includes(unit) ? `unit '${unit}' out of order` : `invalid unit '${unit}'`;
    units = units.slice(at + 1);
    rest = rest.slice(digits.length + 1);
  }
  return undefined;
}

export function periodProblem(text: string): string | undefined {
  const slash = text.indexOf("/");
  if (slash < 0) return "missing slash";
  const [start, end] = [text.slice(0, slash), text.slice(slash + 1)];
  if (start.startsWith("P"))
    return about("invalid start duration", durationProblem(start)) ?? about("invalid end date-time", dateTimeProblem(end));
  return (
    about("invalid start date-time", dateTimeProblem(start)) ??
    (end.startsWith("P") ? about("invalid end duration", durationProblem(end)) : about("invalid end date-time", dateTimeProblem(end)))
  );
}

function about(what: string, problem: string | undefined): string | undefined {
  return problem === undefined ? undefined : `${what}: ${problem}`;
}
