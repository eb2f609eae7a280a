import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import {
  canonicalElement,
  comparePathElements,
  elementText,
  fieldElement,
  keyElement,
  elementPathText,
  valueElement,
} from "./path-element.ts";

const spellings: readonly (readonly [string, string | undefined])[] = [
  ["f:", "f:"],
  ["f: spaces   ", "f: spaces   "],
  ['k:{"name":"my-container"}', 'k:{"name":"my-container"}'],
  ['k:{ "protocol":"udp","port":443}', 'k:{"port":443,"protocol":"udp"}'],
  ['k:{"optional":null}', 'k:{"optional":null}'],
  ["v: 3", "v:3"],
  ["v:1.0", "v:1"],
  ['v:"a<b"', 'v:"a\\u003cb"'],
  ['v:{"some":"json"}', 'v:{"some":"json"}'],
  ["i:1234", "i:1234"],
  ["q:future", undefined],
];

for (const [given, expected] of spellings)
  test(`${given} is spelled ${expected}`, () => {
    assert.equal(canonicalElement(given), expected);
  });

for (const given of ["", "f", "no", "i:x", "k:1", "k:{", 'v:"\\x41"'])
  test(`${JSON.stringify(given)} is no path element`, () => {
    assert.throws(() => canonicalElement(given), SyntaxError);
  });

test("children come in upstream's order: fields by bytes, keys and values by what they are, indices by number", () => {
  const order = [
    ".",
    "f:A",
    "f:a",
    "f:a-b",
    "f:é",
    "f:\uffff",
    "f:😀",
    'k:{"name":"a"}',
    'k:{"name":"a b"}',
    'k:{"port":9,"protocol":"TCP"}',
    'k:{"port":80,"protocol":"TCP"}',
    'k:{"port":80,"protocol":"UDP"}',
    "v:2",
    "v:10",
    'v:"10"',
    'v:"2"',
    "v:false",
    "v:true",
    "v:null",
    "i:2",
    "i:10",
  ];
  assert.deepEqual([...order].reverse().sort(comparePathElements), order);
});

test("messages show a path as upstream does", () => {
  const path = ["f:spec", 'k:{"name":"app-🚀"}', 'k:{"port":80,"protocol":"TCP"}', 'v:"app with \\"quotes\\""', "i:3"];
  assert.equal(elementPathText(path), '.spec[name="app-🚀"][port=80,protocol="TCP"][="app with \\"quotes\\""][3]');
  assert.equal(elementText("v:null"), "[=null]");
});

const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.string({ unit: "grapheme" }));

test("what we write is canonical already", () => {
  fc.assert(
    fc.property(scalar, fc.string({ minLength: 1 }), (value, name) => {
      for (const element of [fieldElement(name), valueElement(value), keyElement([[name, value]])])
        assert.equal(canonicalElement(element), element);
    }),
  );
});

test("the order is total", () => {
  const element = fc.oneof(
    fc.string().map(fieldElement),
    scalar.map(valueElement),
    scalar.map((value) => keyElement([["name", value]])),
  );
  fc.assert(
    fc.property(element, element, element, (a, b, c) => {
      assert.equal(Math.sign(comparePathElements(a, b)) + Math.sign(comparePathElements(b, a)), 0);
      if (comparePathElements(a, b) <= 0 && comparePathElements(b, c) <= 0) assert.ok(comparePathElements(a, c) <= 0);
      assert.equal(comparePathElements(a, b) === 0, a === b);
    }),
  );
});
