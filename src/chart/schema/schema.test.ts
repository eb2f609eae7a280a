import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { readValues } from "../index.ts";
import { casesIn } from "../../../test/support/chart/recorded-cases.ts";

const recorded = readFileSync(new URL("../recorded/schema.jsonl", import.meta.url), "utf8");
import { schemaViolation } from "./index.ts";

type Recorded = { readonly schema: string; readonly values: string; readonly problem?: string };

for (const [index, { schema, values, problem }] of casesIn<Recorded>(recorded).entries()) {
  test(`schema ${index} matches Helm: ${(problem ?? "valid").split("\n")[0]}`, () => {
    assert.deepEqual(inAnyOrder(violation(schema, values)), inAnyOrder(problem));
  });
}

/** Go iterates maps in random order, so the lines of its messages have no order. */
function inAnyOrder(text: string | undefined): readonly string[] | undefined {
  return text
    ?.split("\n")
    .map((line) => line.replace(/additional properties (.*) not allowed/, sortedNames))
    .toSorted();
}

function sortedNames(_: string, names: string): string {
  return `additional properties ${names.split(", ").toSorted().join(", ")} not allowed`;
}

function violation(schema: string, values: string, warnings: string[] = []): string | undefined {
  return schemaViolation(Buffer.from(schema), readValues(values), (warning) => warnings.push(warning));
}

test("nothing is fetched", () => {
  const problem = violation('{"$ref": "https://example.com/a.json"}', "");
  assert.match(problem ?? "", /^failing loading "https:\/\/example.com\/a.json": .*not fetched from the network$/);
  assert.match(violation('{"$ref": "other.json"}', "") ?? "", /^failing loading "file:\/\/\/other.json": open \/other.json/);
});

test("what is named by a urn is let pass, every time with a warning", () => {
  for (const _ of ["first", "again"]) {
    const warnings: string[] = [];
    assert.equal(violation('{"$ref": "urn:x:y"}', "a: 1", warnings), undefined);
    assert.deepEqual(warnings, ["WARN unresolved URN reference ignored; using permissive schema urn=urn:x:y"]);
  }
});

test("a schema can refer to json-schema.org's own", () => {
  const schema = '{"properties": {"s": {"$ref": "http://json-schema.org/draft-07/schema#"}}}';
  assert.equal(violation(schema, "s: {type: string}"), undefined);
  assert.match(violation(schema, "s: {minLength: -1}") ?? "", /at '\/s\/minLength'/);
});

test("a schema that is no JSON is refused", () => {
  assert.equal(violation("", ""), "EOF");
  assert.notEqual(violation("{", ""), undefined);
});

test("problems stand in the order of keys", () => {
  const schema = '{"properties": {"b": {"type": "string"}, "a": {"type": "string"}}}';
  assert.equal(violation(schema, "b: 1\na: 2"), "- at '/a': got number, want string\n- at '/b': got number, want string\n");
});
