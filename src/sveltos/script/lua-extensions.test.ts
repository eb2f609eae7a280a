import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { bounded } from "../../../test/support/bounded.ts";
import { compileScript, ScriptFault } from "./index.ts";

type Recorded = readonly [expression: string, gives: readonly unknown[]];

/** What the helper modules of Sveltos 1.14 gave for these expressions. */
const recorded: readonly Recorded[] = JSON.parse(readFileSync(new URL("recorded/helper-modules.json", import.meta.url), "utf8"));

const opening = 'local json, strings, runes, sprig = require("json"), require("strings"), require("runes"), require("sprig")';

/** What Go's encoder puts before what went wrong. */
const goPrefix = "json: error calling MarshalJSON for type json.jsonValue: ";

/** The first two values of an expression. */
function valuesOf(expression: string): unknown {
  const text = `${opening}\nfunction evaluate() local values = {${expression}} return {first = values[1], second = values[2]} end`;
  return compileScript(text, "test", { global: "obj" })({});
}

for (const [expression, gives] of recorded)
  test(`${expression} gives what Sveltos gives`, () => {
    const [first, second] = gives.map((value) => (typeof value === "string" ? value.replace(goPrefix, "") : value));
    assert.deepEqual(asRecorded(valuesOf(expression)), asRecorded({ first, second }));
  });

/** A table that is empty is an object in the records, whatever it was; and nil is not there. */
function asRecorded(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? {} : value.map(asRecorded);
  if (typeof value !== "object" || value === null) return value;
  const present = Object.entries(value).filter(([, item]) => item !== undefined && item !== null);
  return Object.fromEntries(present.map(([key, item]) => [key, asRecorded(item)]));
}

const object = '{metadata = {labels = {a = "b", n = 5}, annotations = {["x/y"] = "z"}}}';

// Models libsveltos lib/lua/methods.go
for (const [expression, expected] of [
  ['base64Encode("hello")', { first: "aGVsbG8=" }],
  ['base64Encode("")', { second: "provided string is empty" }],
  ['base64Decode("aGVsbG8=")', { first: "hello" }],
  ['base64Decode("w7w=")', { first: "ü" }],
  ['base64Decode("a?")', { second: "decoding failed" }],
  [`getLabel(${object}, "a")`, { first: "b" }],
  [`getLabel(${object}, "n")`, {}],
  [`getLabel(${object}, "c")`, {}],
  ['getLabel({}, "a")', {}],
  ["getLabel({})", { second: "expected 2 arguments (table, key)" }],
  [`getAnnotation(${object}, "x/y")`, { first: "z" }],
  ['getAnnotation({metadata = {}}, "x")', {}],
  ['getResource({one = "1"}, "one")', { first: "1" }],
  ['getResource({one = "1"}, "two")', {}],
] as const)
  test(`${expression} needs no require`, () => {
    assert.deepEqual(valuesOf(expression), expected);
  });

for (const [expression, message] of [
  ["strings.HasPrefix(5)", "test:2: bad argument #2 to 'HasPrefix' (string expected, got no value)"],
  ['strings.Repeat("x", -1)', "test:2: strings: negative Repeat count"],
  ['strings.ContainsFunc("x", function() return 1 end)', "test:2: the function has to return true or false"],
  ["getLabel(5, 5)", "test:2: bad argument #1 to 'getLabel' (table expected, got number)"],
  ['require("socket")', "test:2: module 'socket' not found"],
] as const)
  test(`${expression} is an error`, () => {
    assert.throws(() => valuesOf(expression), new ScriptFault(message));
  });

for (const expression of [
  'strings.Repeat("x", 1e9)',
  'sprig.indent(1e12, "x")',
  "sprig.seq({1, 1e12})",
  'strings.Join({("x"):rep(1e6), ("x"):rep(1e6)}, ("y"):rep(7e6))',
  'strings.ReplaceAll(("x"):rep(1e4), "", ("y"):rep(1e4))',
  'strings.LastIndex(("a"):rep(4e6), "b" .. ("a"):rep(2e6))',
  'strings.Index(("a"):rep(4e6), "b" .. ("a"):rep(2e6))',
  'strings.Count(("a"):rep(8e6), "a")',
  'strings.EqualFold(("a"):rep(4e6), ("A"):rep(4e6))',
  'strings.IndexAny("x", ("a"):rep(8e6))',
  'sprig.wrapWith(1, ("x "):rep(1e4), ("y"):rep(1e4))',
  'sprig.regexReplaceAll("x", ("x"):rep(1e4), ("y"):rep(1e4))',
  'sprig.regexReplaceAll("(x+)", ("x"):rep(1e4), ("$1"):rep(1e4))',
  'sprig.regexMatch(("[a-z]{0,900}"):rep(10), "x")',
  'sprig.regexFindAll(("[a-z]{0,9}"):rep(9) .. "!", ("x"):rep(1e6), -1)',
  'sprig.quote((function() local t, s = {}, ("x"):rep(1e6) for i = 1, 1e4 do t[i] = s end return t end)())',
  'json.encode((function() local t, s = {}, ("x"):rep(1e6) for i = 1, 1e4 do t[i] = s end return t end)())',
  "json.encode((function() local t = {} for i = 1, 40 do t = {t, t} end return t end)())",
  'json.decode(("["):rep(4e6) .. ("]"):rep(4e6))',
  'json.fromYAML(("a: [b]\\n"):rep(1e6))',
  'runes.isvalidutf8(("x"):rep(8e6))',
  'runes.runeslice(("x"):rep(8e6))',
])
  test(`${expression} exceeds the limits, and pcall does not catch that`, () => {
    const text = `${opening}\nfunction evaluate() pcall(function() return ${expression} end) return {} end`;
    assert.throws(
      () => bounded(() => compileScript(text, "test", { global: "obj" })({})),
      (error: unknown) => error instanceof ScriptFault && error.isLimit,
    );
  });

test("functions that read the clock or randomness are absent", () => {
  for (const name of ["ago", "randInt", "shuffle", "genPrivateKey", "bcrypt", "htpasswd", "derivePassword", "encryptAES", "decryptAES"])
    assert.deepEqual(valuesOf(`sprig.${name} == nil`), { first: true }, name);
});
