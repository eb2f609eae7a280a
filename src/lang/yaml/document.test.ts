import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { lineFor } from "../../core/fault/index.ts";
import { equal } from "../../core/object/index.ts";
import { positionText, readDocuments, readYaml } from "./document.ts";

const lines = (...text: string[]): string => text.join("\n");
const values = (text: string): unknown[] => readDocuments(text, "f.yaml").documents.map(({ value }) => value);

/** Streams and the documents in them. */
const streams: Record<string, readonly [string, unknown[]]> = {
  nothing: ["", []],
  "comments only": ["# one\n\n  # two\n", []],
  "separators only": ["---\n---\n# c\n---\n", []],
  "one document": ["a: 1\n", [{ a: 1 }]],
  "two documents": ["a: 1\n---\nb: 2\n", [{ a: 1 }, { b: 2 }]],
  "a comment beside the separator": ["--- # first\na: 1\n---   \nb: 2\n", [{ a: 1 }, { b: 2 }]],
  "content beside the separator": ["--- {a: 1}\n--- [b]\n", [{ a: 1 }, ["b"]]],
  "an end marker": ["a: 1\n...\nb: 2\n...\n", [{ a: 1 }, { b: 2 }]],
  directives: ["%YAML 1.1\n---\na: 1\n", [{ a: 1 }]],
  "--- inside of a block scalar": ["a: |\n  x\n  ---\n  y\nb: 1\n", [{ a: "x\n---\ny\n", b: 1 }]],
  "---- is no separator": ["a: |\n  x\n----: 1\n", [{ a: "x\n", "----": 1 }]],
  "a byte order mark and CRLF": ["\uFEFFa: 1\r\n---\r\nb: |\r\n  x\r\n  y\r\n", [{ a: 1 }, { b: "x\ny\n" }]],
  JSON: ['{"a": [1, {"b": null}], "c": "\\u00e9\\/"}', [{ a: [1, { b: null }], c: "é/" }]],
  "JSON indented by tabs": [JSON.stringify({ a: { b: [1, { c: "d" }] } }, null, "\t"), [{ a: { b: [1, { c: "d" }] } }]],
  "a no-break space": ["\u00a0\n", ["\u00a0"]],
  null: ["null\n", [null]],
};

for (const [what, [text, expected]] of Object.entries(streams)) {
  test(`${what} gives ${expected.length} documents`, () => {
    const { documents, problems } = readDocuments(text, "f.yaml");
    assert.deepEqual(problems, []);
    assert.deepEqual(
      documents.map(({ value }) => value),
      expected,
    );
  });
}

/** As sigs.k8s.io/yaml reads them. */
const observed: readonly [string, unknown][] = [
  ["y: 1\non: 2\n", { true: 2 }],
  ["1: a\n1.5: b\ntrue: c\n", { "1": "a", "1.5": "b", true: "c" }],
  ["12345678901.5: a\n", { "1.2345679e+10": "a" }],
  ["<<: {a: 2, b: 3}\na: 1\n", { a: 1, b: 3 }],
  ["a: 1\n<<: {a: 2, b: 3}\n", { a: 2, b: 3 }],
  ["<<: [{a: 1}, {a: 2, b: 2}]\n", { a: 1, b: 2 }],
  ["x: &x {b: 1}\nc: {<<: *x, d: 2}\n", { x: { b: 1 }, c: { b: 1, d: 2 } }],
  ["'<<': {a: 1}\n", { "<<": { a: 1 } }],
  ["a: &v [1]\nb: *v\n", { a: [1], b: [1] }],
  ["a: !!set {x}\n", { a: { x: null } }],
  ["a:\nb: ''\n", { a: null, b: "" }],
  ["a: 1\na: 2\n", { a: 2 }],
];

for (const [text, expected] of observed) {
  test(`${JSON.stringify(text)} reads as ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(readYaml(text, "x", { duplicateKeys: "last wins" }), expected);
  });
}

const refused: Record<string, string> = {
  "a: 1\nb: 2\na: 3\n": 'f.yaml:3: key "a" is set twice in one object; expected it once',
  "a:\n  '1': x\n  1: y\n": 'f.yaml:3: key "1" is set twice in one object; expected it once',
  "a: b: c\n":
    "f.yaml:1: mapping values are not allowed in this context; expected the keys of one object in one column, and a value with ': ' in it in quotes",
  "a:\n\tb: 1\n": "f.yaml:2: a tab stands in the indent; expected spaces",
  "a: 1\n  b: 2\n":
    "f.yaml:2: mapping values are not allowed in this context; expected the keys of one object in one column, and a value with ': ' in it in quotes",
  "a: [1\nb: 2\n": "f.yaml:2: did not find expected ',' or ']'; expected a comma between items, and every bracket to be closed",
  "- a\nb: 1\n": "f.yaml:2: did not find expected '-' indicator; expected the items of one list in one column, each with '- ' before it",
  "[a]\nb: 1\n": "f.yaml:2: something follows that does not belong to the value before; expected the end of the document or ---",
  "a: @x\n": "f.yaml:1: a value begins with @; expected it in quotes",
  "a: {{ .Values.x }}\n": "f.yaml:1: a key is a list or an object; expected a string",
  "x: 1\na: *nope\n": "f.yaml:2: alias *nope refers to no anchor; expected &nope before it",
  "a: &a [*a]\n": 'f.yaml:1: anchor "a" contains itself',
  "a: .inf\n": "f.yaml:1: .inf is a number that JSON does not have; expected a finite number, or quote it",
  "a: !!int x\n": 'f.yaml:1: "x" is tagged !!int; expected an integer',
  "~: x\n": "f.yaml:1: a key is null; expected a string",
  "? [1]\n: x\n": "f.yaml:1: a key is a list or an object; expected a string",
  "<<: 1\n": "f.yaml:1: a merge key << holds something else than objects; expected an object or a list of objects",
  "a: \u0000\n": "f.yaml:1: control characters are not allowed; expected text",
};

for (const [text, message] of Object.entries(refused)) {
  test(`${JSON.stringify(text)} is refused`, () => {
    const { documents, problems } = readDocuments(text, "f.yaml");
    assert.deepEqual(documents, []);
    assert.deepEqual(problems.map(lineFor), [message]);
  });
}

test("one broken document leaves the others alone, and its line is that of the file", () => {
  const { documents, problems } = readDocuments("a: 1\n---\nb: 1\nc: d: e\n---\nf: 1\n", "f.yaml");
  assert.deepEqual(
    documents.map(({ value }) => value),
    [{ a: 1 }, { f: 1 }],
  );
  assert.deepEqual(
    problems.map(({ at }) => at),
    ["f.yaml:4"],
  );
});

test("a path is found in the file", () => {
  const text = lines(
    "# head",
    "---",
    "first: 1",
    "---",
    "",
    "metadata:",
    "  annotations:",
    '    "a/b": "1"',
    "    c.d: 2",
    "spec:",
    "  list:",
    "  - name: x",
    "    value: y",
    "  - [p, q]",
    "  flow: {k: v}",
  );
  const document = readDocuments(text, "f.yaml").documents[1]!;
  assert.equal(positionText(document.at), "f.yaml:6");
  const expected: Record<string, number> = {
    "": 6,
    metadata: 6,
    'metadata.annotations["a/b"]': 8,
    'metadata.annotations["c.d"]': 9,
    "spec.list": 11,
    "spec.list[0]": 12,
    "spec.list[0].name": 12,
    "spec.list[0].value": 13,
    "spec.list[1][1]": 14,
    "spec.flow.k": 15,
    "spec.absent.deeper": 10,
  };
  for (const [path, line] of Object.entries(expected)) assert.deepEqual(document.positionOf(path), { file: "f.yaml", line }, path);
  assert.equal(document.positionOf(["metadata", "annotations", "c.d"]).line, 9);
});

test("integers keep all their digits on the way to JSON", () => {
  const value = readYaml("big: 9223372036854775807\nsafe: 9007199254740991\nover: 1152921504606846976\n", "f.yaml");
  assert.equal(JSON.stringify(value), '{"big":9223372036854775807,"safe":9007199254740991,"over":1152921504606846976}');
});

test("a document that expands too much by aliases is rejected", () => {
  const levels = Array.from(
    { length: 9 },
    (_, level) => `l${level + 1}: &l${level + 1} [${Array.from({ length: 9 }, () => `*l${level}`).join(", ")}]`,
  );
  const { problems } = readDocuments(lines("l0: &l0 [x, x]", ...levels), "f.yaml");
  assert.match(problems.map(lineFor).join("\n"), /^f\.yaml:\d+: the document expands to too much by aliases/);
});

test("a deeply nested schema is read", () => {
  const depth = 300;
  const text = Array.from({ length: depth }, (_, level) => `${" ".repeat(level)}a:`).join("\n");
  let value = values(text)[0];
  let found = 0;
  while (typeof value === "object" && value !== null) [value, found] = [(value as Record<string, unknown>)["a"], found + 1];
  assert.equal(found, depth);
});

test("__proto__ is a key like any other", () => {
  const value = readYaml("__proto__: {polluted: true}\n", "f.yaml");
  assert.equal(JSON.stringify(value), '{"__proto__":{"polluted":true}}');
  assert.equal(Reflect.get({}, "polluted"), undefined);
});

test("more than one document where one is expected is refused", () => {
  assert.throws(() => readYaml("a: 1\n---\nb: 1\n", "f.yaml"), {
    name: "BadInput",
    message: "f.yaml:3: a second document begins here; expected one document",
  });
  assert.equal(readYaml("# nothing\n", "f.yaml"), null);
});

test("all JSON is read as JSON reads it", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom("", "  ", "\t"), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      assert.ok(equal(readYaml(text, "f.json"), JSON.parse(text)), text);
    }),
  );
});

test("any text yields documents or problems, never an exception", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."ab:-?[]{},&*!|>'\"%#\n \t1.~<") }), (text) => void readDocuments(text, "f.yaml")),
    { numRuns: 1000 },
  );
});
