import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { bounded } from "../../../../test/support/bounded.ts";
import { readManifests } from "../manifest.ts";
import { marshalYaml } from "../write/emitter.ts";
import { YamlFault } from "../yaml-fault.ts";
import { unmarshalList, unmarshalMap } from "../unmarshal.ts";
import { parseYaml } from "./parse-yaml.ts";
import { jsonTarget, mapTarget } from "./decode-target.ts";

test("only the first document is parsed", () => {
  assert.deepEqual(parseYaml("a: 1\n---\nb: [\n"), { a: 1 });
  assert.equal(parseYaml(""), null);
  assert.equal(parseYaml("# nothing\n"), null);
});

test("maps keep the order of the document, whatever their keys", () => {
  const map = parseYaml("z: 1\n10: 2\n__proto__: 3\n9: 4\n", { target: mapTarget });
  assert.deepEqual(
    [...(map as Map<string, unknown>)],
    [
      ["z", 1],
      ["10", 2],
      ["__proto__", 3],
      ["9", 4],
    ],
  );
});

test("a mutable target copies aliased values", () => {
  const map = parseYaml("a: &a {x: [1]}\nb: *a\nc: {<<: *a}\n", { target: mapTarget }) as Map<string, Map<string, unknown>>;
  assert.deepEqual(map.get("b"), map.get("a"));
  assert.notEqual(map.get("b"), map.get("a"));
  assert.notEqual(map.get("b")?.get("x"), map.get("a")?.get("x"));
  assert.notEqual(map.get("c")?.get("x"), map.get("a")?.get("x"));
});

test("integers beyond 53 bits keep their digits in JSON and are floats to Helm", () => {
  const text = "a: 9223372036854775807\n";
  assert.equal(JSON.stringify(parseYaml(text)), '{"a":9223372036854775807}');
  assert.deepEqual(parseYaml(text, { target: mapTarget }), new Map([["a", 2 ** 63]]));
});

/** The messages of sigs.k8s.io/yaml, and the line of the error, which differs from go-yaml's count. */
const refused: readonly [string, string, number][] = [
  ["a:\n\tb: 1\n", "yaml: line 2: found character that cannot start any token", 2],
  ["a: b: c\n", "yaml: mapping values are not allowed in this context", 1],
  ["a: [1,2\n", "yaml: line 1: did not find expected ',' or ']'", 2],
  ["a: *nope\n", "yaml: unknown anchor 'nope' referenced", 1],
  ["a: \x01\n", "yaml: control characters are not allowed", 1],
  ["a: \udcff\n", "yaml: invalid leading UTF-8 octet", 1],
  ["a: \udcc3x\n", "yaml: invalid trailing UTF-8 octet", 1],
  ["a: \udcc3", "yaml: incomplete UTF-8 octet sequence", 1],
  [`b: ]\n${"#".repeat(600)}\x01`, "yaml: did not find expected node content", 1],
  ["x: 1\na: {{ .Values.x }}\n", 'yaml: invalid map key: map[interface {}]interface {}{".Values.x":interface {}(nil)}', 2],
];

for (const [text, message, line] of refused) {
  test(`${JSON.stringify(text).slice(0, 60)} is refused as in Go`, () => {
    assert.throws(
      () => parseYaml(text),
      (error) => error instanceof YamlFault && error.message === message && error.line === line,
    );
  });
}

test("a document of the wrong type is rejected", () => {
  assert.deepEqual(unmarshalMap("null\n", jsonTarget), {});
  assert.deepEqual(unmarshalList("- 1\n", jsonTarget), [1]);
  const place = "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal";
  assert.throws(() => unmarshalMap("- x\n", jsonTarget), { message: `${place} array into Go value of type map[string]interface {}` });
  assert.throws(() => unmarshalList("a: 1\n", jsonTarget), { message: `${place} object into Go value of type []interface {}` });
  assert.throws(() => unmarshalMap("a: b: c\n", jsonTarget), {
    message: "error converting YAML to JSON: yaml: mapping values are not allowed in this context",
  });
});

test("excessive aliasing is rejected", () => {
  const levels = Array.from({ length: 9 }, (_, level) => `l${level + 1}: &l${level + 1} [${Array(9).fill(`*l${level}`).join(", ")}]`);
  assert.throws(() => parseYaml(["l0: &l0 [x]", ...levels].join("\n")), { message: "yaml: document contains excessive aliasing" });
});

test("few aliases of a long text are rejected: they stand for gigabytes", () => {
  const long = "x".repeat(100_000);
  const message = { message: "yaml: document contains excessive aliasing" };
  const several = parseYaml(`a: &a "${long}"\nb: [${"*a,".repeat(600)}]`);
  assert.equal((several as { b: string[] }).b[599], long);
  assert.throws(() => parseYaml(`a: &a "${long}"\nb: [${"*a,".repeat(700)}]`), message);
  assert.throws(() => parseYaml(`a: &a {b: "${long}"}\nb: &b [${"*a,".repeat(30)}]\nc: [${"*b,".repeat(30)}]`), message);
  assert.throws(() => parseYaml(`a: &a !!str "${long}"\nb: {${Array.from({ length: 700 }, (_, at) => `k${at}: *a`).join()}}`), message);
});

test("deep nesting takes time in proportion to its length", () => {
  // Each of the brackets looked through all that were open.
  const deep = "[".repeat(9999) + "]".repeat(9999);
  bounded(() => Array.from({ length: 10 }, () => readManifests(deep, "deep.yaml")));
});

for (const [what, key] of Object.entries({
  "a list as a key": ["{? ", ": 1}"],
  "a map as a key": ["{? {x: ", "}: 1}"],
  "the value of a key that is null": ["{null: ", "}"],
  "the value of a key that is a number": ["{18446744073709551615: ", "}"],
} as const))
  test(`${what} is refused, however deep`, () => {
    for (const [open, close] of [
      ["[", "]"],
      ["{a: ", "}"],
    ] as const)
      for (const depth of [400, 3000, 9000]) {
        const text = `${key[0]}${open.repeat(depth)}1${close.repeat(depth)}${key[1]}`;
        assert.throws(() => parseYaml(text), /map key.*interface \{\}\{.*…\}/);
      }
  });

test("nesting is read to the depth that go-yaml reads, and no deeper", () => {
  assert.equal(depthOf(parseYaml("[".repeat(10_000) + "]".repeat(10_000))), 10_000);
  assert.equal(depthOf(parseYaml(`${"- ".repeat(9_999)}a`)), 9_999);
  assert.equal(depthOf(parseYaml(`${"[a: ".repeat(5000)}1${"]".repeat(5000)}`)), 10_000);
  assert.throws(() => parseYaml("[".repeat(10_001) + "]".repeat(10_001)), { message: "yaml: exceeded max depth of 10000" });
  assert.throws(() => parseYaml("- ".repeat(20_000)), { message: "yaml: exceeded max depth of 10000" });
  assert.throws(() => parseYaml("{".repeat(9000)), YamlFault);
});

function depthOf(value: unknown): number {
  let depth = 0;
  for (let inner = value; typeof inner === "object" && inner !== null; depth++) inner = (Object.values(inner) as unknown[])[0];
  return depth;
}

test("any text parses or fails alike for both targets", () => {
  const text = fc.string({ unit: fc.constantFrom(..."ab:-?[]{},&*!|>'\"%#\n \t1.~<é😀\r\u0085\u2028\0"), maxLength: 40 });
  fc.assert(
    fc.property(text, (source) => {
      const [json, map] = [answer(() => parseYaml(source)), answer(() => toJson(parseYaml(source, { target: mapTarget })))];
      assert.equal(map, json);
    }),
    { numRuns: 1000 },
  );
});

function answer(read: () => unknown): unknown {
  try {
    return marshalYaml(read());
  } catch (error) {
    if (error instanceof YamlFault) return error.message;
    throw error;
  }
}

function toJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toJson);
  if (value instanceof Map) return Object.fromEntries([...(value as Map<string, unknown>)].map(([key, item]) => [key, toJson(item)]));
  return value;
}
