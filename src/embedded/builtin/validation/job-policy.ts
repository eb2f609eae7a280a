import { listAt, numberAt, stringAt, valueAt, type Fields } from "../../../core/object/index.ts";
import {
  fieldDuplicate,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  fieldTooLong,
  fieldTooMany,
  type FieldError,
} from "../../field-error.ts";
import { checkEach, hasField, checkNonNegative, stringField, checkNestedObject } from "./field-checks.ts";
import { formatErrors } from "./object-meta.ts";
import { checkQualifiedName } from "./name-formats.ts";

// Models pkg/apis/batch/validation/validation.go validatePodFailurePolicy and validateSuccessPolicy

const most = { rules: 20, exitCodes: 255, conditions: 20, indexesBytes: 64 * 1024 };
const actions = ["Count", "FailIndex", "FailJob", "Ignore"];

/** An error without the value, as the server prints it. */
function unfit(field: string, detail: string): FieldError {
  return { field, reason: "FieldValueInvalid", message: `Invalid value: ${detail}` };
}

/** A Go list of quoted words: `["a" "b"]`. */
const goWords = (words: readonly string[]): string => `[${words.map((word) => `"${word}"`).join(" ")}]`;

function choice(value: string, at: string, choices: readonly string[]): readonly FieldError[] {
  if (value === "") return [fieldRequired(at, `valid values: ${goWords(choices)}`)];
  return choices.includes(value) ? [] : [fieldNotSupported(at, value, choices)];
}

function action(rule: Fields, spec: Fields, at: string): readonly FieldError[] {
  const value = stringField(rule, "action");
  if (value !== "FailIndex") return choice(value, at, actions);
  return hasField(spec, "backoffLimitPerIndex") ? [] : [fieldInvalid(at, value, "requires the backoffLimitPerIndex to be set")];
}

function exitCodes(codes: Fields, at: string, containers: ReadonlySet<string>): readonly FieldError[] {
  const found = valueAt(codes, "values");
  const values: readonly unknown[] = Array.isArray(found) ? found : [];
  const container = stringAt(codes, "containerName");
  const unknown = container !== undefined && !containers.has(container);
  const isOrdered = values.every((value, index) => index === 0 || Number(values[index - 1]) <= Number(value));
  return [
    ...choice(stringField(codes, "operator"), `${at}.operator`, ["In", "NotIn"]),
    ...(unknown
      ? [fieldInvalid(`${at}.containerName`, container, "must be one of the container or initContainer names in the pod template")]
      : []),
    ...(values.length === 0 ? [fieldInvalid(`${at}.values`, found ?? null, "at least one value is required")] : []),
    ...(values.length > most.exitCodes ? [fieldTooMany(`${at}.values`, values.length, most.exitCodes)] : []),
    ...values.flatMap((value, index) => exitCode(values, index, value, stringField(codes, "operator"), at)),
    ...(isOrdered ? [] : [fieldInvalid(`${at}.values`, values, "must be ordered")]),
  ];
}

function exitCode(values: readonly unknown[], index: number, value: unknown, operator: string, at: string): readonly FieldError[] {
  const where = `${at}.values[${index}]`;
  return [
    ...(operator === "In" && value === 0 ? [fieldInvalid(where, value, "must not be 0 for the In operator")] : []),
    ...(values.indexOf(value) < index ? [fieldDuplicate(where, value)] : []),
  ];
}

function podConditions(rule: Fields, at: string): readonly FieldError[] {
  const count = listAt(rule, "onPodConditions").length;
  return [
    ...(count > most.conditions ? [fieldTooMany(`${at}.onPodConditions`, count, most.conditions)] : []),
    ...checkEach(rule, "onPodConditions", at, (pattern, path) => [
      ...formatErrors(checkQualifiedName, `${path}.type`, stringField(pattern, "type")),
      ...choice(stringField(pattern, "status"), `${path}.status`, ["False", "True", "Unknown"]),
    ]),
  ];
}

function failureRule(rule: Fields, spec: Fields, at: string, containers: ReadonlySet<string>): readonly FieldError[] {
  const [codes, conditions] = [hasField(rule, "onExitCodes"), listAt(rule, "onPodConditions").length > 0];
  return [
    ...action(rule, spec, `${at}.action`),
    ...checkNestedObject(rule, "onExitCodes", at, (fields, path) => exitCodes(fields, path, containers)),
    ...podConditions(rule, at),
    ...(codes && conditions ? [unfit(at, "specifying both OnExitCodes and OnPodConditions is not supported")] : []),
    ...(!codes && !conditions ? [unfit(at, "specifying one of OnExitCodes and OnPodConditions is required")] : []),
  ];
}

export function validatePodFailurePolicy(policy: Fields, spec: Fields, at: string): readonly FieldError[] {
  const count = listAt(policy, "rules").length;
  const lists = ["template.spec.containers", "template.spec.initContainers"];
  const containers = new Set(lists.flatMap((list) => listAt(spec, list).map((container) => stringField(container, "name"))));
  return [
    ...(count > most.rules ? [fieldTooMany(`${at}.rules`, count, most.rules)] : []),
    ...checkEach(policy, "rules", at, (rule, path) => failureRule(rule, spec, path, containers)),
  ];
}

export function validateSuccessPolicy(policy: Fields, spec: Fields, at: string): readonly FieldError[] {
  const count = listAt(policy, "rules").length;
  return [
    ...(count === 0 ? [fieldRequired(`${at}.rules`, "at least one rules must be specified when the successPolicy is specified")] : []),
    ...(count > most.rules ? [fieldTooMany(`${at}.rules`, count, most.rules)] : []),
    ...checkEach(policy, "rules", at, (rule, path) => successRule(rule, numberAt(spec, "completions", 0), path)),
  ];
}

function successRule(rule: Fields, completions: number, at: string): readonly FieldError[] {
  const indexes = stringAt(rule, "succeededIndexes");
  const count = numberAt(rule, "succeededCount");
  const parsed = indexes === undefined ? 0 : countIndexes(indexes, completions);
  const total = typeof parsed === "number" ? parsed : 0;
  const long = indexes !== undefined && indexes.length > most.indexesBytes;
  const where = `${at}.succeededCount`;
  const limit = (most: number, noun: string): FieldError =>
    fieldInvalid(where, count, `must be less than or equal to ${most} (the number of ${noun})`);
  return [
    ...(indexes === undefined && count === undefined
      ? [fieldRequired(at, "at least one of succeededCount or succeededIndexes must be specified")]
      : []),
    ...(long ? [fieldTooLong(`${at}.succeededIndexes`, most.indexesBytes)] : []),
    ...(typeof parsed === "string" ? [fieldInvalid(`${at}.succeededIndexes`, indexes, `error parsing succeededIndexes: ${parsed}`)] : []),
    ...checkNonNegative(rule, "succeededCount", at),
    ...(count !== undefined && count > completions ? [limit(completions, "specified completions")] : []),
    ...(count !== undefined && indexes !== undefined && count > total
      ? [limit(total, "indexes in the specified succeededIndexes field")]
      : []),
  ];
}

/** The number of indexes in a text like `1,3-5`, or the error message. */
function countIndexes(text: string, completions: number): number | string {
  if (text === "") return 0;
  let total = 0;
  let last: number | undefined;
  for (const part of text.split(",")) {
    const interval = parseInterval(part, completions);
    if (typeof interval === "string") return interval;
    const [first, end] = interval;
    if (last !== undefined && last >= first) return `non-increasing order, previous: ${last}, current: ${first}`;
    total += end - first + 1;
    last = end;
  }
  return total;
}

function parseInterval(text: string, completions: number): readonly [number, number] | string {
  const ends = text.split("-");
  if (ends.length > 2)
    return `the fragment ${JSON.stringify(text)} violates the requirement that an index interval can have at most two parts separated by '-'`;
  const numbers: number[] = [];
  for (const end of ends) {
    if (!/^[+-]?[0-9]+$/.test(end)) return `cannot convert string to integer for index: ${JSON.stringify(end)}`;
    if (Number(end) >= completions) return `too large index: ${JSON.stringify(end)}`;
    numbers.push(Number(end));
  }
  const [first = 0, last = first] = numbers;
  return ends.length === 2 && first >= last ? `non-increasing order, previous: ${first}, current: ${last}` : [first, last];
}
