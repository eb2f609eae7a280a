import {
  convertToBool,
  convertToBytes,
  convertToDouble,
  convertToDuration,
  convertToInt,
  convertToString,
  convertToTimestamp,
  convertToUint,
} from "../convert.ts";
import { declare, global, member, takes, type Cost, type FunctionDeclaration, type Overload, type Parameter } from "../declaration.ts";
import type { Meter } from "../meter.ts";
import { isMatch } from "../regex.ts";
import { codePointCount, sizeOf, traversal } from "../size.ts";
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  typeParameter,
  stringType,
  timestampType,
  typeType,
  uintType,
  type CelType,
} from "../type.ts";
import { typeNameOf, TypeValue, type CelValue } from "../value.ts";
import { localDate } from "../local-date.ts";

const A = typeParameter("A");
const anyList = takes.list(A);
const anyMap = takes.map(A, typeParameter("B"));

const once: Cost = ([text]) => traversal(sizeOf(text));

/** Replaces the message by one without types. cel-go prints that for functions that it implements on its types. */
function plainly(complaint: string, declaration: FunctionDeclaration): FunctionDeclaration {
  return { ...declaration, mismatch: () => complaint };
}

function sizes(make: typeof global): readonly Overload[] {
  const prefix = make === global ? "size" : "member_size";
  return [
    make(`${prefix}_bytes`, [takes.bytes], intType, (value) => BigInt(value.length)),
    make(`${prefix}_list`, [anyList], intType, (value) => BigInt(value.size)),
    make(`${prefix}_map`, [anyMap], intType, (value) => BigInt(value.size)),
    make(`${prefix}_string`, [takes.string], intType, (value) => BigInt(codePointCount(value))),
  ];
}

function conversion(
  name: string,
  result: CelType,
  convert: (value: CelValue) => CelValue,
  from: readonly Parameter<CelValue>[],
): FunctionDeclaration {
  const call = parsed.has(name) ? chargedParse(convert) : convert;
  return declare(name, ...from.map((each, index) => global(`${name}_${index}`, [each], result, call, costOfConversion(name, each))));
}

/** The conversions that read a text character by character, or digit by digit into a number. */
const parsed: ReadonlySet<string> = new Set(["double", "duration", "int", "timestamp", "uint"]);

function chargedParse(convert: (value: CelValue) => CelValue): (value: CelValue, meter: Meter) => CelValue {
  return (value, meter) => {
    if (typeof value === "string") meter.step(value.length * 8);
    return convert(value);
  };
}

function costOfConversion(name: string, from: Parameter<CelValue>): Cost | undefined {
  const isTraversal = (name === "string" && from === takes.bytes) || (name === "bytes" && from === takes.string);
  return isTraversal ? once : undefined;
}

const conversions: readonly FunctionDeclaration[] = [
  conversion("bool", boolType, convertToBool, [takes.bool, takes.string]),
  conversion("bytes", bytesType, convertToBytes, [takes.bytes, takes.string]),
  conversion("double", doubleType, convertToDouble, [takes.double, takes.int, takes.string, takes.uint]),
  conversion("duration", durationType, convertToDuration, [takes.duration, takes.int, takes.string]),
  conversion("dyn", dynType, (value) => value, [takes.any(A)]),
  conversion("int", intType, convertToInt, [takes.int, takes.double, takes.duration, takes.string, takes.timestamp, takes.uint]),
  conversion("string", stringType, convertToString, [
    takes.string,
    takes.bool,
    takes.bytes,
    takes.double,
    takes.duration,
    takes.int,
    takes.timestamp,
    takes.uint,
  ]),
  conversion("timestamp", timestampType, convertToTimestamp, [takes.timestamp, takes.int, takes.string]),
  conversion("uint", uintType, convertToUint, [takes.uint, takes.double, takes.int, takes.string]),
  declare(
    "type",
    global("type", [takes.any(A)], typeType(A), (value) => new TypeValue(typeNameOf(value))),
  ),
];

const texts: readonly FunctionDeclaration[] = [
  plainly(
    "no such overload",
    declare(
      "contains",
      member(
        "contains_string",
        [takes.string, takes.string],
        boolType,
        (text, part, meter) => {
          if (part.length > 32) meter.step((text.length * part.length) / 2048);
          return text.includes(part);
        },
        (args) => traversal(sizeOf(args[0])) * traversal(sizeOf(args[1])),
      ),
    ),
  ),
  plainly(
    "no such overload",
    declare(
      "startsWith",
      member("starts_with_string", [takes.string, takes.string], boolType, (text, part) => text.startsWith(part), once),
    ),
  ),
  plainly(
    "no such overload",
    declare(
      "endsWith",
      member("ends_with_string", [takes.string, takes.string], boolType, (text, part) => text.endsWith(part), once),
    ),
  ),
  plainly(
    "no such overload",
    declare(
      "matches",
      global("matches", [takes.string, takes.string], boolType, isMatch, matchCost),
      member("matches_string", [takes.string, takes.string], boolType, isMatch, matchCost),
    ),
  ),
];

/** The length of the text plus one, so that an empty text costs something. */
export function matchCost([text, pattern]: readonly CelValue[]): number {
  return traversal(1 + sizeOf(text)) * Math.ceil(sizeOf(pattern) * 0.25);
}

type Part = (date: Date) => number;

function datePart(name: string, part: Part): FunctionDeclaration {
  const zoned = `timestamp_to_${name}_with_tz`;
  return declare(
    name,
    member(`timestamp_to_${name}`, [takes.timestamp], intType, (moment) => BigInt(part(localDate(moment, "UTC")))),
    member(zoned, [takes.timestamp, takes.string], intType, (moment, zone) => BigInt(part(localDate(moment, zone)))),
  );
}

/** Accessors that durations have as well. On a duration they return the whole of it in that unit. */
function timePart(name: string, part: Part, unit: bigint): FunctionDeclaration {
  const { overloads } = datePart(name, part);
  return declare(
    name,
    ...overloads,
    member(`duration_to_${name}`, [takes.duration], intType, ({ nanos }) => nanos / unit),
  );
}

function dayOfYear(date: Date): number {
  return Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000);
}

const times: readonly FunctionDeclaration[] = [
  datePart("getFullYear", (date) => date.getUTCFullYear()),
  datePart("getMonth", (date) => date.getUTCMonth()),
  datePart("getDayOfYear", dayOfYear),
  datePart("getDayOfMonth", (date) => date.getUTCDate() - 1),
  datePart("getDate", (date) => date.getUTCDate()),
  datePart("getDayOfWeek", (date) => date.getUTCDay()),
  timePart("getHours", (date) => date.getUTCHours(), 3_600_000_000_000n),
  timePart("getMinutes", (date) => date.getUTCMinutes(), 60_000_000_000n),
  timePart("getSeconds", (date) => date.getUTCSeconds(), 1_000_000_000n),
  timePart("getMilliseconds", (date) => date.getUTCMilliseconds(), 1_000_000n),
];

/** The standard functions of CEL. */
export const standard: readonly FunctionDeclaration[] = [
  plainly("no such overload: size", declare("size", ...sizes(global), ...sizes(member))),
  ...conversions,
  ...texts,
  ...times,
];
