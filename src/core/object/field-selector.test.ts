import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { escapeFieldValue, exactField, fieldSelectorText, parseFieldSelector } from "./field-selector.ts";

/** "selector": [fields that match], [fields that do not]. */
const matching: Record<string, readonly [readonly Record<string, string>[], readonly Record<string, string>[]]> = {
  "": [[{}, { "metadata.name": "a" }], []],
  "metadata.name=a": [[{ "metadata.name": "a" }], [{ "metadata.name": "b" }, {}]],
  "metadata.name==a": [[{ "metadata.name": "a" }], [{ "metadata.name": "b" }]],
  "metadata.name!=a": [[{ "metadata.name": "b" }, {}], [{ "metadata.name": "a" }]],
  "spec.nodeName=": [[{}, { "spec.nodeName": "" }], [{ "spec.nodeName": "n1" }]],
  "a=1,b!=2,": [[{ a: "1" }], [{ a: "1", b: "2" }]],
  "a=x\\,y\\=z\\\\": [[{ a: "x,y=z\\" }], [{ a: "x" }]],
};

for (const [selector, [yes, no]] of Object.entries(matching)) {
  test(`"${selector}" matches`, () => {
    const { matches } = parseFieldSelector(selector);
    for (const fields of yes) assert.ok(matches(fields), `should match ${JSON.stringify(fields)}`);
    for (const fields of no) assert.ok(!matches(fields), `should not match ${JSON.stringify(fields)}`);
  });
}

const refused: Record<string, string> = {
  "a=1,b": "invalid selector: 'a=1,b'; can't understand 'b'",
  "a=b=c": "invalid field selector: unescaped character in value: 61",
  "a=\\x": "invalid field selector: invalid escape sequence: \\x",
  "a=b\\": "invalid field selector: invalid escape sequence: \\",
};

for (const [selector, message] of Object.entries(refused)) {
  test(`"${selector}" is refused`, () => assert.throws(() => parseFieldSelector(selector), { name: "Fault", message }));
}

test("terms are sorted, and == is printed as =", () => {
  assert.equal(fieldSelectorText(parseFieldSelector("b==2,a!=1")), "a!=1,b=2");
});

test("a value that is required exactly is found", () => {
  const selector = parseFieldSelector("a!=1,b=2");
  assert.equal(exactField(selector, "b"), "2");
  assert.equal(exactField(selector, "a"), undefined);
});

test("any value survives escaping", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."ab\\,=!") }), (value) => {
      const selector = parseFieldSelector(`f=${escapeFieldValue(value)}`);
      assert.deepEqual(selector.requirements, [{ field: "f", operator: "=", value }]);
      assert.deepEqual(parseFieldSelector(fieldSelectorText(selector)).requirements, selector.requirements);
    }),
  );
});
