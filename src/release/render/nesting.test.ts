import assert from "node:assert/strict";
import { test } from "node:test";
import { GoMap } from "../../lang/template/index.ts";
import { deepCopy, jsonText, parseJson } from "../../lang/sprig/index.ts";
import { coalesceTables, readValues } from "../../chart/index.ts";
import { readYamlMap } from "./yaml/read.ts";
import { prettyYaml, yamlText } from "./yaml/write.ts";

const deepest = 10_000;
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
