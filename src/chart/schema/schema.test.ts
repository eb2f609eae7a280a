import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { LimitError, withinCost } from "../../core/cost/index.ts";
import { readValues } from "../index.ts";
import { casesIn } from "../../../test/support/chart/recorded-cases.ts";

const recorded = readFileSync(new URL("../recorded/schema.jsonl", import.meta.url), "utf8");
import { schemaViolation, type RemoteSchemas } from "./index.ts";

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

function violation(schema: string, values: string, warnings: string[] = [], remote?: RemoteSchemas): string | undefined {
  return schemaViolation(Buffer.from(schema), readValues(values), (warning) => warnings.push(warning), remote);
}

/** The documents at http://x/, and the URLs that were asked for. A document without text cannot be had. */
function remote(documents: Readonly<Record<string, string | undefined>>): { readonly at: RemoteSchemas; readonly asked: string[] } {
  const asked: string[] = [];
  const at: RemoteSchemas = (url) => {
    asked.push(url);
    const name = url.slice("http://x/".length);
    if (!Object.hasOwn(documents, name)) return undefined;
    const text = documents[name];
    return text === undefined ? { problem: "HTTP request to it failed", isTransient: true } : { text, digest: text };
  };
  return { at, asked };
}

/** What Helm 4.2.4 answered when a server had these documents. */
const remoteCases: readonly { readonly documents: Readonly<Record<string, string | undefined>>; readonly problem?: string }[] = [
  { documents: { a: '{"properties": {"a": {"$ref": "sub/b#/definitions/c"}}}', "sub/b": '{"definitions": {"c": {"maximum": 5}}}' } },
  {
    documents: { a: '{"properties": {"a": {"$ref": "sub/b#/definitions/c"}}}', "sub/b": '{"definitions": {"c": {"maximum": 0}}}' },
    problem: "- at '/a': maximum: got 1, want 0\n",
  },
  {
    documents: { a: '{"$id": "http://x/base/a", "$ref": "b"}', "base/b": '{"properties": {"a": {"type": "string"}}}' },
    problem: "- at '/a': got number, want string\n",
  },
  { documents: { a: "" }, problem: 'failing loading "http://x/a": EOF' },
  { documents: { a: undefined }, problem: 'failing loading "http://x/a": HTTP request to it failed' },
  { documents: { a: '{"$ref": "#/b"}' }, problem: 'json-pointer in "http://x/a#/b" not found' },
  { documents: { a: '{"$ref": "#b"}' }, problem: 'anchor in "http://x/a#b" not found in schema "http://x/a"' },
  { documents: { a: '{"$ref": "file:///b"}' }, problem: 'failing loading "file:///b": open /b: no such file or directory' },
  { documents: { a: '{"$ref": "ftp://b/c"}' }, problem: 'failing loading "ftp://b/c": no URLLoader registered for "ftp://b/c"' },
  { documents: { a: '{"$schema": "http://x/a"}' }, problem: 'draft "http://x/a" is not supported' },
  {
    documents: { a: '{"$schema": "http://x/b"}', b: '{"$schema": "http://x/a"}' },
    problem: 'cycle in resolving $schema in "http://x/b"',
  },
  { documents: { a: '{"$schema": "http://x/b"}', b: '{"$schema": "http://json-schema.org/draft-07/schema#"}' } },
  {
    documents: { a: '{"type": "nonsense"}' },
    problem:
      "\"http://x/a#\" is not valid against metaschema: jsonschema validation failed with 'https://json-schema.org/draft/2020-12/schema#'\n" +
      "- at '': 'allOf' failed\n  - at '/type': 'anyOf' failed\n" +
      "    - at '/type': value must be one of 'array', 'boolean', 'integer', 'null', 'number', 'object', 'string'\n" +
      "    - at '/type': got string, want array",
  },
];

for (const { documents, problem } of remoteCases) {
  test(`remote schemas ${JSON.stringify(documents)}: ${(problem ?? "valid").split("\n")[0]}`, () => {
    assert.equal(violation('{"$ref": "http://x/a"}', "a: 1", [], remote(documents).at), problem);
    // A compiled schema is used again.
    assert.equal(violation('{"$ref": "http://x/a"}', "a: 1", [], remote(documents).at), problem);
  });
}

test("all schemas that have yet to be fetched are asked for together", () => {
  const schema = '{"properties": {"a": {"$ref": "http://x/a#/b"}, "b": {"$ref": "HTTP://X/c/../b"}, "c": {"$ref": "#/none"}}}';
  const { at, asked } = remote({});
  assert.match(violation(schema, "a: 1", [], at) ?? "", /has not been fetched/);
  assert.deepEqual([...new Set(asked)].toSorted(), ["http://x/a", "http://x/b"]);
  const later = remote({ a: '{"b": true}', b: "true" }).at;
  assert.equal(violation(schema, "a: 1", [], later), 'json-pointer in "file:///values.schema.json#/none" not found');
});

test("what an older draft ignores beside a reference is not fetched", () => {
  const { at, asked } = remote({});
  const schema = `{"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "http://x/a", "not": {"$ref": "http://x/b"}}`;
  violation(schema, "", [], at);
  assert.deepEqual(asked, ["http://x/a"]);
});

test("a remote schema that changes counts at once", () => {
  const schema = '{"properties": {"changing": {"$ref": "http://x/a"}}}';
  assert.equal(violation(schema, "changing: 1", [], remote({ a: "true" }).at), undefined);
  assert.match(violation(schema, "changing: 1", [], remote({ a: "false" }).at) ?? "", /at '\/changing'/);
  assert.match(violation(schema, "changing: 1", [], remote({}).at) ?? "", /has not been fetched/);
  assert.match(violation(schema, "changing: 1", [], remote({ a: undefined }).at) ?? "", /failing loading/);
  assert.equal(violation(schema, "changing: 1", [], remote({ a: "true" }).at), undefined);
});

test("a schema that is nested too deep is refused", () => {
  const deep = `${'{"not":'.repeat(100_000)}{}${"}".repeat(100_000)}`;
  assert.equal(violation(deep, ""), "exceeded max depth");
  assert.equal(violation('{"$ref": "http://x/deep"}', "", [], remote({ deep }).at), "exceeded max depth");
});

test("a schema with very many ids is compiled in time", () => {
  const many = Array.from({ length: 20_000 }, (_, index) => `"p${index}": {"$id": "http://x/${index}", "type": "string"}`);
  assert.equal(violation(`{"properties": {${many.join(",")}}}`, "p19999: 1"), "- at '/p19999': got number, want string\n");
});

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

function limitedViolation(schema: string, values: string): string | undefined {
  return withinCost({ cost: 2 ** 20 }, () => violation(schema, values));
}

test("a schema that asks for a million comparisons ends soon", () => {
  const levels = Array.from({ length: 40 }, (_, level) => {
    const next = { $ref: `#/definitions/d${level + 1}` };
    return [`d${level}`, { allOf: [next, next] }];
  });
  const doubled = JSON.stringify({ $ref: "#/definitions/d0", definitions: { ...Object.fromEntries(levels), d40: { type: "object" } } });
  assert.throws(() => limitedViolation(doubled, "a: 1"), LimitError);
  const values = `a: [${"{b: 1},".repeat(2000)}]`;
  assert.throws(
    () => limitedViolation(JSON.stringify({ properties: { a: { items: { enum: [1, 2, 3, {}, { b: 2 }] } } } }), values),
    LimitError,
  );
});

test("that items are unique is seen in one pass", () => {
  const schema = '{"properties": {"a": {"uniqueItems": true}}}';
  const items = Array.from({ length: 3000 }, (_, index) => `{b: {c: ${index}}, d: x}`);
  const limited = (list: readonly string[]): string | undefined =>
    withinCost({ cost: 2 ** 22 }, () => violation(schema, `a: [${list.join()}]`));
  assert.equal(limited(items), undefined);
  assert.match(limited([...items, "{d: x, b: {c: 7.0}}"]) ?? "", /items at 7 and 3,?000 are equal/);
  assert.equal(limited(["1", "'1'", "true", "'true'", "null", "'null'", "[]", "{}", "'[]'"]), undefined);
});
