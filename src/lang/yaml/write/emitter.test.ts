import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { equal } from "../../../core/object/index.ts";
import { readYaml } from "../document.ts";
import { compareKeys } from "./key-order.ts";
import type { YamlView } from "./view.ts";
import { marshalPretty, marshalYaml, writeYaml } from "./emitter.ts";

const words = (count: number): string => Array.from({ length: count }, () => "lorem").join(" ");

/** Every text is what sigs.k8s.io/yaml v1.6.0 (JSONToYAML) answers. */
const observed: readonly [unknown, string][] = [
  [{ b: 1, a: { d: [1, 2], c: {} }, e: [] }, "a:\n  c: {}\n  d:\n  - 1\n  - 2\nb: 1\ne: []\n"],
  [[{ a: 1, b: 2 }, [1, [2]], []], "- a: 1\n  b: 2\n- - 1\n  - - 2\n- []\n"],
  [{ a: null, b: true, c: 1.5, d: 1e21, e: 123456789.125, f: -3 }, "a: null\nb: true\nc: 1.5\nd: 1e+21\ne: 1.23456789125e+08\nf: -3\n"],
  [
    ["", "y", "no", "null", "~", "1", "0644", "1e3", "12:30", "2020-01-02"],
    '- ""\n- "y"\n- "no"\n- "null"\n- "~"\n- "1"\n- "0644"\n- "1e3"\n- "12:30"\n- "2020-01-02"\n',
  ],
  [
    ["a b", "a: b", "a #b", "#a", "- a", "-a", " a", "a ", "it's", "[a", "@a", "a:", "---"],
    "- a b\n- 'a: b'\n- 'a #b'\n- '#a'\n- '- a'\n- -a\n- ' a'\n- 'a '\n- it's\n- '[a'\n- '@a'\n- 'a:'\n- '---'\n",
  ],
  [["a\tb", "é", "😀", "\u0007", "a\\b"], '- "a\\tb"\n- é\n- "\\U0001F600"\n- "\\a"\n- a\\b\n'],
  [
    { a: "x\ny\n", b: "x\ny", c: "x\n\n", d: "  x\ny\n", e: "\nx", f: "x \ny", g: "x\n " },
    'a: |\n  x\n  y\nb: |-\n  x\n  y\nc: |+\n  x\n\nd: |2\n    x\n  y\ne: |2-\n\n  x\nf: "x \\ny"\ng: "x\\n "\n',
  ],
  [{ true: 1, "1": 2, "": 3, "a b": 4 }, '"": 3\n"1": 2\na b: 4\n"true": 1\n'],
  [
    { a10: 1, a2: 1, A: 1, _: 1, é: 1, a: 1, "a-b": 1, "10": 1, "9": 1 },
    '_: 1\n"9": 1\n"10": 1\nA: 1\na: 1\na-b: 1\na2: 1\na10: 1\né: 1\n',
  ],
  [{ a: words(20) }, `a: ${words(14)}\n  ${words(6)}\n`],
  [{ a: `'${words(20)}` }, `a: '''${words(13)}\n  ${words(7)}'\n`],
  [{ a: `\t${words(20)}` }, `a: "\\t${words(13)}\n  ${words(7)}"\n`],
  [{ ["k".repeat(129)]: { a: [1] } }, `? ${"k".repeat(129)}\n: a:\n  - 1\n`],
  [{ ["k".repeat(129)]: [1] }, `? ${"k".repeat(129)}\n: - 1\n`],
  ["x", "x\n"],
];

for (const [value, text] of observed) {
  test(`${JSON.stringify(value).slice(0, 70)} is written as kubectl does`, () => assert.equal(writeYaml(value), text));
}

test("a key that would be read as a merge key is quoted", () => assert.equal(writeYaml({ "<<": "<<" }), '"<<": <<\n'));

test("undefined is left out, exact integers keep their digits", () => {
  assert.equal(writeYaml({ a: undefined, b: { c: undefined } }), "b: {}\n");
  assert.equal(writeYaml(readYaml("a: 9223372036854775807\n", "x")), "a: 9223372036854775807\n");
});

const character = fc.constantFrom(...Array.from("ab 01:-#'\"\\\n\t,[]{}&*!|>%@`~.=<?é€😀\u0085\u00a0\u2028\r\u0007\ufeff"));
const text = fc.oneof(
  fc.string({ unit: character, maxLength: 12 }),
  fc.string({ unit: "binary", maxLength: 6 }).filter((string) => string.isWellFormed()),
  fc.string({ unit: fc.constantFrom(..."0123456789_+-.eExob:yYnN~"), maxLength: 6 }),
  fc.array(fc.constantFrom("lorem", "it's", "a: b", "  ", "#x", '"q"', "\n", "\t"), { maxLength: 40 }).map((parts) => parts.join(" ")),
  fc.array(fc.constantFrom("line", "  indented", "", "key: value", "tail "), { maxLength: 6 }).map((parts) => parts.join("\n")),
);
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.constantFrom(true, false, null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(text, tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

test("whatever is written reads back as itself", () => {
  fc.assert(
    fc.property(value, (json) => {
      const written = writeYaml(json);
      const read = readYaml(written, "x.yaml");
      assert.ok(equal(read, JSON.parse(JSON.stringify(json))), written);
    }),
    { numRuns: 1000 },
  );
});

test("the order of keys is an order", () => {
  const key = fc.string({ unit: fc.constantFrom(..."aZ019é_-"), maxLength: 5 });
  fc.assert(fc.property(key, key, (a, b) => assert.equal(Math.sign(compareKeys(a, b)), 0 - Math.sign(compareKeys(b, a)))));
});

/** Maps and arrays. */
const mapView: YamlView = {
  itemsOf: (value) => (Array.isArray(value) ? value : undefined),
  keysOf: (value) => (value instanceof Map ? [...(value as Map<string, unknown>).keys()] : undefined),
  valueAt: (map, key) => (map as Map<string, unknown>).get(key),
  plainOf: () => null,
};

test("Maps are written without a copy", () => {
  const value = new Map<string, unknown>([
    ["b", [new Map([["a2", 1n]]), 1e6]],
    ["a", new Map()],
  ]);
  assert.equal(marshalYaml(value, mapView), "a: {}\nb:\n- a2: 1\n- 1000000\n");
  assert.equal(marshalPretty(value, mapView), "a: {}\nb:\n  - a2: 1\n  - 1e+06\n");
});

/** Values that JSON changes or rejects, as in Go. */
test("toYaml writes what go-yaml reads of JSON", () => {
  assert.equal(marshalYaml("a\x85b"), "a b\n");
  assert.equal(marshalYaml("h\uDCC3"), "h\uFFFD\n");
  assert.equal(marshalYaml({ "<<": 1 }), "<<: 1\n");
  assert.throws(() => marshalYaml([Infinity]), { message: "error marshaling into JSON: json: unsupported value: +Inf" });
  assert.throws(() => marshalYaml("a\x7F"), { message: "yaml: control characters are not allowed" });
  assert.throws(() => marshalYaml({ ["k".repeat(1023)]: 1 }), { message: "yaml: did not find expected ',' or '}'" });
});

test("toYamlPretty writes invalid UTF-8 as base64", () => {
  assert.equal(marshalPretty({ a: "h\uDCC3" }), "a: !!binary aMM=\n");
  const long = "\uDCFF".repeat(60);
  assert.equal(marshalPretty({ a: long }), `a: !!binary |\n  ${"/".repeat(70)}\n  ${"/".repeat(10)}\n`);
});
