import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "../core/fault/index.ts";
import { toPlain } from "../lang/template/index.ts";
import { readValues } from "./index.ts";

/** Texts and the values that Helm 4.2.4's LoadValues reads. */
const read: readonly (readonly [string, unknown])[] = [
  ["a: |\n  x", { a: "x\n" }],
  ["a: >\n  x", { a: "x\n" }],
  ["a: |-\n  x", { a: "x" }],
  ["a: |+\n  x\n\n", { a: "x\n\n" }],
  ["a: |\n  x\n---\nb: |\n  y", { a: "x\n", b: "y\n" }],
  ["a: |\r\n  x", { a: "x\n" }],
  ["a: x\r---\n", { a: "x" }],
  ["", {}],
];

for (const [text, expected] of read) {
  test(`${JSON.stringify(text)} reads as ${JSON.stringify(expected)}`, () => assert.deepEqual(toPlain(readValues(text)), expected));
}

const converting = "cannot unmarshal yaml document: error converting YAML to JSON: yaml: ";

/** Texts and LoadValues' error. */
const refused: readonly (readonly [string, string])[] = [
  ['a: "x', `${converting}line 2: found unexpected end of stream`],
  ["a: 1\nb: 'x\n  y", `${converting}line 4: found unexpected end of stream`],
  ["\r\r\n: a: |+\n  x\n", `${converting}line 1: did not find expected key`],
  ["c: [1\n---\nd: 1\n--- x\n", `${converting}line 1: did not find expected ',' or ']'`],
  ["c: [1]\n--- x\n", "error reading yaml document: invalid Yaml document separator: x"],
  ["!!str [a]: b\n", `${converting}invalid map key: []interface {}{"a"}`],
  ["!!map {a: 1}: b\n", `${converting}invalid map key: map[interface {}]interface {}{"a":1}`],
  ["&k [a, {1: 2.5}]: b\n", `${converting}invalid map key: []interface {}{"a", map[interface {}]interface {}{1:2.5}}`],
  ["g: &a {x: 1}\n*a : 1\n", `${converting}invalid map key: map[interface {}]interface {}{"x":1}`],
  ["g: &a [x]\ni: {*a : 1}\n", `${converting}invalid map key: []interface {}{"x"}`],
  ["g: &a {x: 1}\n{*a : 1}: 1\n", `${converting}invalid map key: map[interface {}]interface {}{"x":1}`],
  ["? !!x {q: !!str [r]}\n: s\n", `${converting}invalid map key: map[interface {}]interface {}{"q":[]interface {}{"r"}}`],
  [
    "g: &a [x]\n~: [*a]\n",
    'cannot unmarshal yaml document: error converting YAML to JSON: unsupported map key of type: %!s(<nil>), key: <nil>, value: []interface {}{[]interface {}{"x"}}',
  ],
  [
    "g: [~: {1: 2}]\n",
    "cannot unmarshal yaml document: error converting YAML to JSON: unsupported map key of type: %!s(<nil>), key: <nil>, value: map[interface {}]interface {}{1:2}",
  ],
];

for (const [text, message] of refused) {
  test(`${JSON.stringify(text)} is refused as Helm does`, () => {
    assert.throws(
      () => readValues(text),
      (error) => error instanceof Fault && error.message === message,
    );
  });
}
