import type { Problem } from "../../core/fault/index.ts";
import { isFields, type Fields } from "../../core/object/index.ts";
import type {
  Behaviour,
  CustomCondition,
  Delay,
  ContainerFailure,
  LogLine,
  BehaviourMatch,
  ImagePull,
  BehaviourRule,
} from "./behaviour.ts";
import { defaultRule } from "./behaviour.ts";
import { millisecondsOf, type Duration } from "./duration.ts";

/** Collects problems so that all of them are reported together. */
type Report = (at: string, message: string) => void;
type Reader<T> = (value: unknown, at: string, report: Report) => T | undefined;

/** Parses a behaviour file: a list of rules, or an object with `rules`. Invalid parts are reported and left out. */
export function parseBehaviour(value: unknown): { behaviour: Behaviour; problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const report: Report = (at, message) => problems.push({ at, message });
  const list = isFields(value) ? value["rules"] : value;
  if (!Array.isArray(list)) {
    report("", "behaviour: expected a list of rules, each with `match` and what is different for what it matches");
    return { behaviour: { rules: [] }, problems };
  }
  const rules = list.map((item, index) => readRule(item, `rules[${index}]`, report)).filter((rule) => rule !== undefined);
  return { behaviour: { rules }, problems };
}

/** Parses one field of a rule that is given by itself, as in an annotation. */
export function parseRuleField<K extends keyof BehaviourRule>(
  name: K,
  value: unknown,
  at: string,
): { rule: Partial<BehaviourRule>; problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const read = readers[name](value, at, (where, message) => problems.push({ at: where, message }));
  return { rule: read === undefined ? {} : { [name]: read }, problems };
}

const readRule: Reader<BehaviourRule> = (value, at, report) => {
  if (!isFields(value)) return reportUnexpected(report, at, value, "a rule: { match: …, … }");
  return { match: {}, ...readFields(value, at, report, readers) };
};

/** Parses each known field with its reader, and reports unknown fields. */
function readFields<T>(
  value: Fields,
  at: string,
  report: Report,
  known: { readonly [K in keyof T]-?: Reader<NonNullable<T[K]>> },
): Partial<T> {
  const result: { [K in keyof T]?: T[K] } = {};
  for (const [name, item] of Object.entries(value)) {
    const where = at === "" ? name : `${at}.${name}`;
    if (!isKeyOf(known, name)) {
      report(where, `unknown field; known here: ${Object.keys(known).join(", ")}`);
      continue;
    }
    const read = known[name](item, where, report);
    if (read !== undefined) result[name] = read;
  }
  return result;
}

function isKeyOf<T extends object>(record: T, name: string): name is Extract<keyof T, string> {
  return Object.hasOwn(record, name);
}

function reportUnexpected(report: Report, at: string, value: unknown, expected: string): undefined {
  report(at, `found ${JSON.stringify(value) ?? "nothing"}, expected ${expected}`);
}

const text: Reader<string> = (value, at, report) => (typeof value === "string" ? value : reportUnexpected(report, at, value, "a string"));

const flag: Reader<boolean> = (value, at, report) =>
  typeof value === "boolean" ? value : reportUnexpected(report, at, value, "true or false");

const count: Reader<number> = (value, at, report) => {
  const number = typeof value === "string" ? Number(value) : value;
  return typeof number === "number" && Number.isInteger(number) && number >= 0
    ? number
    : reportUnexpected(report, at, value, "a whole number, 0 or more");
};

const exitCode: Reader<number> = (value, at, report) => {
  const code = count(value, at, report);
  return code === undefined || code <= 255 ? code : reportUnexpected(report, at, value, "an exit code from 0 to 255");
};

const aDuration = "a duration such as 500ms or 1m30s, { uniform: [1s, 5s] } or { lognormal: { p50: 4s, p95: 20s } }";

const duration: Reader<Duration> = (value, at, report) => {
  const fixed = millisecondsOf(typeof value === "string" ? value.replace(/ each$/, "") : value);
  if (fixed !== undefined) return { fixed };
  if (!isFields(value)) return reportUnexpected(report, at, value, aDuration);
  if (Array.isArray(value["uniform"]) && value["uniform"].length === 2) {
    const [least, most] = value["uniform"].map(millisecondsOf);
    if (least !== undefined && most !== undefined && least <= most) return { uniform: [least, most] };
  }
  if (isFields(value["lognormal"])) {
    const p50 = millisecondsOf(value["lognormal"]["p50"]);
    const p95 = millisecondsOf(value["lognormal"]["p95"]);
    if (p50 !== undefined && p95 !== undefined && p50 > 0 && p50 <= p95) return { lognormal: { p50, p95 } };
  }
  return reportUnexpected(report, at, value, aDuration);
};

/** A duration by itself, `never`, `{ never: why }`, or `{ after: … }`. */
const delay: Reader<Delay> = (value, at, report) => {
  if (value === "never") return { never: "" };
  if (isFields(value) && "never" in value) {
    const why = value["never"] === true ? "" : text(value["never"], `${at}.never`, report);
    return why === undefined ? undefined : { never: why };
  }
  const after = isFields(value) && "after" in value ? duration(value["after"], `${at}.after`, report) : duration(value, at, report);
  return after === undefined ? undefined : { after };
};

const failText: Reader<string> = (value, at, report) => (value === true ? "" : text(value, at, report));

/** `fail` by itself, a duration, or an object in which the duration may be spelled out beside the rest. */
const pull: Reader<ImagePull> = (value, at, report) => {
  if (value === "fail") return { ...defaultRule.pull, fail: "" };
  if (!isFields(value)) {
    const after = duration(value, at, report);
    return after === undefined ? undefined : { after };
  }
  const { uniform, lognormal, ...rest } = value;
  const spelled = uniform === undefined && lognormal === undefined ? {} : { after: { uniform, lognormal } };
  return {
    ...defaultRule.pull,
    ...readFields<ImagePull>({ ...spelled, ...rest }, at, report, {
      after: duration,
      fail: failText,
      times: count,
      cachedPerNode: flag,
      timeOnly: flag,
    }),
  };
};

const failure: Reader<ContainerFailure> = (value, at, report) => {
  if (!isFields(value)) return reportUnexpected(report, at, value, "{ exitCode: 1, at: 40s, times: 2, reason: … }");
  const read = readFields<ContainerFailure>(value, at, report, { exitCode, at: duration, times: count, reason: text, message: text });
  return { at: { fixed: 0 }, exitCode: read.reason === "OOMKilled" ? 137 : 1, ...read };
};

const liveness: Reader<NonNullable<BehaviourRule["liveness"]>> = (value, at, report) => {
  if (!isFields(value)) return reportUnexpected(report, at, value, "{ failAfter: 30s, times: 1 }");
  const read = readFields<NonNullable<BehaviourRule["liveness"]>>(value, at, report, { failAfter: duration, times: count });
  return { failAfter: { fixed: 0 }, ...read };
};

const result: Reader<NonNullable<BehaviourRule["result"]>> = (value, at, report) => {
  if (!isFields(value)) return reportUnexpected(report, at, value, "{ exitCode: 1 } or { succeedAfterAttempts: 2 }");
  const read = readFields<NonNullable<BehaviourRule["result"]>>(value, at, report, { exitCode, succeedAfterAttempts: count, reason: text });
  return { exitCode: read.succeedAfterAttempts === undefined ? 0 : 1, ...read };
};

const terminate: Reader<NonNullable<BehaviourRule["terminate"]>> = (value, at, report) => {
  if (isFields(value) && ("after" in value || "exitCode" in value)) {
    return {
      ...defaultRule.terminate,
      ...readFields<NonNullable<BehaviourRule["terminate"]>>(value, at, report, { after: duration, exitCode }),
    };
  }
  const after = duration(value, at, report);
  return after === undefined ? undefined : { ...defaultRule.terminate, after };
};

const logs: Reader<readonly LogLine[]> = (value, at, report) => {
  if (typeof value === "string")
    return value
      .replace(/\n$/, "")
      .split("\n")
      .map((line) => ({ after: 0, line }));
  if (!Array.isArray(value)) return reportUnexpected(report, at, value, "lines of text, or a list of { after: 5s, line: … }");
  return value.flatMap((item, index) => logLine(item, `${at}[${index}]`, report) ?? []);
};

const logLine: Reader<LogLine> = (value, at, report) => {
  if (typeof value === "string") return { after: 0, line: value };
  const after = isFields(value) ? millisecondsOf(value["after"] ?? 0) : undefined;
  if (!isFields(value) || after === undefined || typeof value["line"] !== "string") {
    return reportUnexpected(report, at, value, "a line, or { after: 5s, line: … }");
  }
  return { after, line: value["line"] };
};

const conditions: Reader<readonly CustomCondition[]> = (value, at, report) => {
  if (!Array.isArray(value)) return reportUnexpected(report, at, value, 'a list of { type: Ready, status: "True", after: 12s }');
  return value.flatMap((item, index) => {
    const where = `${at}[${index}]`;
    if (!isFields(item)) return reportUnexpected(report, where, item, '{ type: Ready, status: "True", after: 12s }') ?? [];
    const read = readFields<CustomCondition>(item, where, report, {
      type: text,
      status: text,
      after: duration,
      reason: text,
      message: text,
    });
    if (read.type === undefined) return reportUnexpected(report, `${where}.type`, undefined, "the condition's type, such as Ready") ?? [];
    return [{ status: "True", after: { fixed: 0 }, ...read, type: read.type }];
  });
};

const labels: Reader<Readonly<Record<string, string>>> = (value, at, report) => {
  if (!isFields(value)) return reportUnexpected(report, at, value, "a map of labels");
  const read: Record<string, string> = {};
  for (const [name, item] of Object.entries(value)) {
    if (typeof item === "string") read[name] = item;
    else reportUnexpected(report, `${at}.${name}`, item, "a string (quote it)");
  }
  return read;
};

const match: Reader<BehaviourMatch> = (value, at, report) => {
  if (!isFields(value))
    return reportUnexpected(report, at, value, "{ image: …, labels: …, kind: …, workload: …, namespace: …, name: …, crd: … }");
  return readFields<BehaviourMatch>(value, at, report, {
    image: text,
    labels,
    kind: text,
    workload: text,
    namespace: text,
    name: text,
    crd: text,
  });
};

const readers: { readonly [K in keyof BehaviourRule]-?: Reader<NonNullable<BehaviourRule[K]>> } = {
  match,
  overrules: flag,
  schedule: delay,
  pull,
  init: duration,
  start: duration,
  startup: delay,
  ready: delay,
  liveness,
  fail: failure,
  run: delay,
  result,
  terminate,
  logs,
  address: delay,
  bind: delay,
  conditions,
};
