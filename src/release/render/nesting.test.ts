import assert from "node:assert/strict";
import { test } from "node:test";
import { GoMap, anyList, deepEqual, dict, sprintValue, sprintf } from "../../lang/template/index.ts";
import { deepCopy, jsonText, parseJson } from "../../lang/sprig/index.ts";
import { coalesceTables, readValues, userValues } from "../../chart/index.ts";
import { writeToml } from "../../lang/toml/index.ts";
import { readYamlMap } from "./yaml/read.ts";
import { prettyYaml, yamlText } from "./yaml/write.ts";

const deepest = 10_000;
const nestedList = (depth: number): string => `${"[".repeat(depth)}1${"]".repeat(depth)}`;
/** A map that contains itself. */
const knot = (leaf: string): GoMap => {
  const map = dict({ leaf });
  return map.set("self", map);
};
const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

test("values are read, merged, copied and written as JSON to the depth to which Helm does it", () => {
  const values = readValues(nested(deepest));
  assert.equal(jsonText(coalesceTables(values, readValues(nested(deepest)))), nested(deepest));
  assert.equal(jsonText(deepCopy(readYamlMap(nested(deepest)))), nested(deepest));
  assert.equal(jsonText(parseJson(nested(deepest))), nested(deepest));
});

test("deeper values are refused in Helm's words", () => {
  const deeper = nested(deepest + 1);
  assert.throws(() => readYamlMap(deeper), { message: "error converting YAML to JSON: yaml: exceeded max depth of 10000" });
  assert.throws(() => parseJson(deeper), { message: "invalid character '{' exceeded max depth" });
});

test("deep values are written as YAML", () => {
  const values = readYamlMap(nested(3000));
  assert.equal(jsonText(readYamlMap(yamlText(values))), nested(3000));
  assert.equal(prettyYaml(values), yamlText(values));
});

test("a value that contains itself is refused", () => {
  const cyclic = new GoMap();
  cyclic.set("self", cyclic);
  assert.throws(() => jsonText(cyclic), { message: "json: unsupported value: encountered a cycle via map[string]interface {}" });
  assert.throws(() => yamlText(cyclic), /encountered a cycle/);
  assert.throws(() => deepCopy(cyclic), /contains itself/);
});

test("deep values are printed, compared and written as TOML as Helm does it", () => {
  const values = readYamlMap(nested(deepest));
  const printed = `${"map[a:".repeat(deepest)}1${"]".repeat(deepest)}`;
  assert.equal(sprintValue(values), printed);
  assert.equal(sprintf("%s %+v", [values, values]), `${`${"map[a:".repeat(deepest)}%!s(float64=1)${"]".repeat(deepest)}`} ${printed}`);
  assert.equal(sprintf("%#v", [values]), `${'map[string]interface {}{"a":'.repeat(deepest)}1${"}".repeat(deepest)}`);
  assert.ok(deepEqual(values, readYamlMap(nested(deepest))));
  assert.ok(!deepEqual(values, readYamlMap(nested(deepest).replace("1", "2"))));
  const table = Array.from({ length: 1500 }, (_, at) => `${"  ".repeat(at)}[x${".a".repeat(at)}]\n`);
  const toml = writeToml(dict({ x: readYamlMap(nested(1500)) }));
  assert.equal(toml, `${table.join("")}${"  ".repeat(1500)}a = 1.0\n`);
});

test("lists that are nested deep are printed, compared and written as TOML", () => {
  const text = nestedList(deepest);
  assert.equal(sprintValue(parseJson(text)), text);
  assert.ok(deepEqual(parseJson(text), parseJson(text)));
  assert.equal(writeToml(dict({ x: parseJson(text) })), `x = ${text.replace("1", "1.0")}\n`);
});

test("values that contain themselves are equal when nothing in them differs, as in Go", () => {
  assert.ok(deepEqual(knot("a"), knot("a")));
  assert.ok(!deepEqual(knot("a"), knot("b")));
  assert.throws(() => sprintValue(knot("a")), { message: "a value that contains itself cannot be printed" });
  assert.throws(() => writeToml(knot("a")), { message: "a value that contains itself cannot be written as TOML" });
});

test("--set and --set-json take values nested as deep as Helm takes them", () => {
  const values = userValues({ typed: [`a${"[0]".repeat(deepest)}=1`], json: [`b=${nestedList(deepest)}`] });
  assert.equal(jsonText(values), `{"a":${nestedList(deepest)},"b":${nestedList(deepest)}}`);
  assert.throws(() => userValues({ json: [`b=${nestedList(deepest + 1)}`] }), /failed parsing --set-json data b=/);
});

test("what is too deep to be read is not written as YAML either, in Helm's words", () => {
  const deepestList = parseJson(nestedList(deepest));
  assert.equal(yamlText(deepestList), `${"- ".repeat(deepest)}1`);
  const deeper = anyList([deepestList]);
  assert.throws(() => yamlText(deeper), { message: "yaml: exceeded max depth of 10000" });
});
