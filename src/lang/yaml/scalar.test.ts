import assert from "node:assert/strict";
import { test } from "node:test";
import { readYaml } from "./document.ts";
import { resolveScalar } from "./parse/resolve-scalar.ts";
import { formatGoFloat, isTimestamp } from "./scalar.ts";

/** What sigs.k8s.io/yaml v1.6.0 (YAMLToJSON) answers for `a: …`, as JSON. */
const observed: Record<string, string> = {
  y: "true",
  Y: "true",
  yes: "true",
  Yes: "true",
  YES: "true",
  yEs: '"yEs"',
  on: "true",
  true: "true",
  True: "true",
  n: "false",
  no: "false",
  off: "false",
  OFF: "false",
  False: "false",
  "~": "null",
  null: "null",
  Null: "null",
  nULL: '"nULL"',
  "0": "0",
  "-0": "0",
  "42": "42",
  "+42": "42",
  "-42": "-42",
  "0644": "420",
  "0o644": "420",
  "0O17": "15",
  "-0644": "-420",
  "08": "8",
  "09.5": "9.5",
  "0o8": '"0o8"',
  "0x1F": "31",
  "0X1f": "31",
  "0b101": "5",
  "-0b11": "-3",
  "0b102": '"0b102"',
  "1_000": "1000",
  "1__0": "10",
  _1: '"_1"',
  "1_000.5": "1000.5",
  "1.5": "1.5",
  "1.": "1",
  ".5": "0.5",
  "-.5": "-0.5",
  ".1_0": "0.1",
  ".5e3": "500",
  ".": '"."',
  "1e3": "1000",
  "1E+3": "1000",
  "1e-7": "1e-7",
  "1e400": '"1e400"',
  "0x1p-2": '"0x1p-2"',
  "1.2.3": '"1.2.3"',
  "22:22": '"22:22"',
  "190:20:30": '"190:20:30"',
  "2020-01-02": '"2020-01-02"',
  "2020-01-02T03:04:05Z": '"2020-01-02T03:04:05Z"',
  "9007199254740993": "9007199254740993",
  "9223372036854775807": "9223372036854775807",
  "-9223372036854775808": "-9223372036854775808",
  "18446744073709551615": "18446744073709551615",
  "18446744073709551616": "18446744073709552000",
  "0xFFFFFFFFFFFFFFFF": "18446744073709551615",
  "<<": '"<<"',
  "1 2": '"1 2"',
  "!!str 5": '"5"',
  "!!int '3'": "3",
  "!!float 3": "3",
  "!!bool yes": "true",
  "!!null ''": "null",
  "!!binary aGk=": '"hi"',
  "!!timestamp 2020-01-01": '"2020-01-01"',
  "!foo x": '"x"',
  "!foo {b: c}": '{"b":"c"}',
  "! 5": '"5"',
  '"0644"': '"0644"',
  "'yes'": '"yes"',
};

for (const [text, json] of Object.entries(observed)) {
  test(`${text} reads as ${json}`, () => assert.equal(JSON.stringify(readYaml(`a: ${text}\n`, "x.yaml")), `{"a":${json}}`));
}

test("infinities and NaN are detected", () => {
  for (const text of [".inf", "+.Inf", "-.INF", ".nan", ".NaN"]) assert.ok(!Number.isFinite(resolveScalar(text)?.value), text);
});

test("dates are known by go-yaml's own formats", () => {
  const dates = ["2020-01-02", "2020-1-2", "2020-02-29", "2020-01-02T03:04:05Z", "2020-1-2t3:4:5.678+01:00", "2020-01-02 03:04:05.5"];
  const others = [
    "2020-13-01",
    "2021-02-29",
    "2020-01-02T03:04:05",
    "2020-01-02 03:04:05Z",
    "2020-01",
    "20200102",
    "2020-01-02T24:00:00Z",
    "2020-01-02x",
  ];
  assert.deepEqual(
    dates.filter((text) => !isTimestamp(text)),
    [],
  );
  assert.deepEqual(others.filter(isTimestamp), []);
});

/** As strconv.FormatFloat(x, 'g', -1, 64) prints them. */
const floats: readonly [number, string][] = [
  [1.5, "1.5"],
  [-0.25, "-0.25"],
  [0.0001, "0.0001"],
  [0.00001, "1e-05"],
  [123456.5, "123456.5"],
  [1234567.5, "1.2345675e+06"],
  [1e21, "1e+21"],
  [1e-300, "1e-300"],
];

for (const [value, text] of floats) test(`${value} is printed as ${text}`, () => assert.equal(formatGoFloat(value, 64), text));

test("float keys are printed with 32 bits", () => assert.equal(formatGoFloat(12345678901.5, 32), "1.2345679e+10"));
