import { allocateString, machine, raise, spend } from "../run/machine.ts";
import { toNumber } from "../run/operator.ts";
import { LuaTable } from "../run/table.ts";
import { type LuaFunction, type LuaValue } from "../run/value.ts";
import { argError, numberArg, optionalStringArg, tableArg } from "./argument.ts";

const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const months = ["January", "February", "March", "April", "May", "June"].concat([
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
]);
const dayMs = 86_400_000;

function time(...args: LuaValue[]): LuaValue {
  if (args[0] === undefined) return Math.floor(machine.host.now());
  const table = tableArg(args, 1);
  const [second, minute, hour] = [field(table, "sec", 0), field(table, "min", 0), field(table, "hour", 12)];
  const [day, month, year] = [field(table, "day"), field(table, "month"), field(table, "year")];
  const moment = new Date(0);
  moment.setUTCFullYear(year, month - 1, day);
  moment.setUTCHours(hour, minute, second);
  const seconds = moment.getTime() / 1000;
  return Number.isNaN(seconds) ? undefined : seconds;
}

function field(table: LuaTable, name: string, otherwise?: number): number {
  const value = toNumber(table.getName(name)) ?? otherwise;
  return value === undefined ? raise(`field '${name}' missing in date table`) : Math.trunc(value);
}

function date(...args: LuaValue[]): LuaValue {
  const given = optionalStringArg(args, 1, "%c");
  const seconds = args[1] === undefined ? machine.host.now() : numberArg(args, 2);
  const moment = new Date(Math.trunc(seconds) * 1000);
  if (Number.isNaN(moment.getTime())) argError(2, "time is out of range");
  // The only time zone is UTC, so the prefix `!` has no effect.
  const template = given.startsWith("!") ? given.slice(1) : given;
  if (template.startsWith("*t")) return dateTable(moment);
  // Each conversion is up to 24 characters, and takes a microsecond.
  spend(template.length * 50);
  const text = template.replace(/%(.?)/gs, (all, letter: string) => part(moment, letter) ?? all);
  allocateString(text.length);
  return text;
}

function dayOfYear(moment: Date): number {
  return Math.floor((moment.getTime() - Date.UTC(moment.getUTCFullYear(), 0, 1)) / dayMs) + 1;
}

function dateTable(moment: Date): LuaTable {
  const table = new LuaTable();
  const fields: Readonly<Record<string, LuaValue>> = {
    sec: moment.getUTCSeconds(),
    min: moment.getUTCMinutes(),
    hour: moment.getUTCHours(),
    day: moment.getUTCDate(),
    month: moment.getUTCMonth() + 1,
    year: moment.getUTCFullYear(),
    wday: moment.getUTCDay() + 1,
    yday: dayOfYear(moment),
    isdst: false,
  };
  for (const [name, value] of Object.entries(fields)) table.setHash(name, value);
  return table;
}

function padded(value: number, width = 2, fill = "0"): string {
  return String(value).padStart(width, fill);
}

/** The strftime conversion `%letter`, in the C locale and UTC. */
function part(moment: Date, letter: string): string | undefined {
  const expand = (template: string) => template.replace(/%(.)/g, (_, inner: string) => part(moment, inner) ?? "");
  const hour = moment.getUTCHours();
  const names: Readonly<Record<string, () => string>> = {
    a: () => (days[moment.getUTCDay()] ?? "").slice(0, 3),
    A: () => days[moment.getUTCDay()] ?? "",
    b: () => (months[moment.getUTCMonth()] ?? "").slice(0, 3),
    B: () => months[moment.getUTCMonth()] ?? "",
    c: () => expand("%a %b %e %H:%M:%S %Y"),
    C: () => padded(Math.floor(moment.getUTCFullYear() / 100)),
    d: () => padded(moment.getUTCDate()),
    D: () => expand("%m/%d/%y"),
    e: () => padded(moment.getUTCDate(), 2, " "),
    F: () => expand("%Y-%m-%d"),
    h: () => expand("%b"),
    H: () => padded(hour),
    I: () => padded(hour % 12 || 12),
    j: () => padded(dayOfYear(moment), 3),
    m: () => padded(moment.getUTCMonth() + 1),
    M: () => padded(moment.getUTCMinutes()),
    n: () => "\n",
    p: () => (hour < 12 ? "AM" : "PM"),
    r: () => expand("%I:%M:%S %p"),
    R: () => expand("%H:%M"),
    s: () => String(moment.getTime() / 1000),
    S: () => padded(moment.getUTCSeconds()),
    t: () => "\t",
    T: () => expand("%H:%M:%S"),
    u: () => String(moment.getUTCDay() || 7),
    w: () => String(moment.getUTCDay()),
    x: () => expand("%m/%d/%y"),
    X: () => expand("%H:%M:%S"),
    y: () => padded(moment.getUTCFullYear() % 100),
    Y: () => String(moment.getUTCFullYear()),
    z: () => "+0000",
    Z: () => "UTC",
    "%": () => "%",
  };
  return names[letter]?.();
}

/** The harmless part of the library `os`: time, in UTC. */
export const osLibrary: Readonly<Record<string, LuaFunction>> = {
  clock: () => machine.host.now() - Math.floor(machine.host.now() / 86_400) * 86_400,
  date,
  difftime: (...args) => numberArg(args, 1) - (args[1] === undefined ? 0 : numberArg(args, 2)),
  time,
};
