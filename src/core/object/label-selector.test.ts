import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { labelSelectorFor, labelSelectorOf, labelSelectorText, parseLabelSelector, type LabelSelectorObject } from "./label-selector.ts";

const nameRule =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const valueRule =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

/** "selector": [labels that match], [labels that do not]; labels as "a=1 b=2". */
const matching: Record<string, readonly [readonly string[], readonly string[]]> = {
  "": [["", "a=1"], []],
  "a=1": [
    ["a=1", "a=1 b=2"],
    ["", "a=2", "b=1"],
  ],
  "a==1": [["a=1"], ["a=2", ""]],
  "a!=1": [["a=2", "", "b=1"], ["a=1"]],
  "a=": [["a="], ["a=1", ""]],
  "a in (1,2)": [
    ["a=1", "a=2"],
    ["a=3", ""],
  ],
  "a notin (1,2)": [
    ["a=3", ""],
    ["a=1", "a=2"],
  ],
  "a in ()": [["a="], ["a=1", ""]],
  "a in (,1)": [
    ["a=", "a=1"],
    ["a=2", ""],
  ],
  a: [
    ["a=1", "a="],
    ["", "b=1"],
  ],
  "!a": [
    ["", "b=1"],
    ["a=1", "a="],
  ],
  "a=1,b!=2,!c": [
    ["a=1", "a=1 b=3"],
    ["a=1 b=2", "a=1 c=1", ""],
  ],
  "a>1": [
    ["a=2", "a=10"],
    ["a=1", "a=x", ""],
  ],
  "a<1": [
    ["a=0", "a=-5"],
    ["a=1", ""],
  ],
  "in in (in,notin)": [["in=in", "in=notin"], ["in=x"]],
};

for (const [selector, [yes, no]] of Object.entries(matching)) {
  test(`"${selector}" matches`, () => {
    const { matches } = parseLabelSelector(selector);
    for (const labels of yes) assert.ok(matches(labelsOf(labels)), `should match "${labels}"`);
    for (const labels of no) assert.ok(!matches(labelsOf(labels)), `should not match "${labels}"`);
  });
}

/** As pkg/labels prints it: by key, values sorted, and the operator as it was written. */
const texts: Record<string, string> = {
  "b=2 , a==1": "a==1,b=2",
  "x in (b, a,b)": "x in (a,b)",
  "!z,y": "y,!z",
  "a notin (x)": "a notin (x)",
  "n > 5": "n>5",
  "example.com/a = ": "example.com/a=",
};

for (const [selector, expected] of Object.entries(texts)) {
  test(`"${selector}" is printed as "${expected}"`, () => {
    assert.equal(labelSelectorText(parseLabelSelector(selector)), expected);
  });
}

const refused: Record<string, string> = {
  "=1": "found '=', expected: !, identifier, or 'end of string'",
  "a=1,": "found '', expected: identifier after ','",
  ",a": "found ',', expected: !, identifier, or 'end of string'",
  "a b": "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt",
  "a=1 b": "found 'b', expected: ',' or 'end of string'",
  "!a=1": "found '=', expected: ',' or 'end of string'",
  "a=(": "unable to parse requirement: found '(', expected: identifier",
  "a=b=c": "found '=', expected: ',' or 'end of string'",
  "a in b": "unable to parse requirement: found 'b' expected: '('",
  "a in (b": "unable to parse requirement: found '', expected: ',' or ')'",
  "a in (=": "unable to parse requirement: found '=', expected: ',', ')' or identifier",
  "a in (,=": "unable to parse requirement: found '=', expected: ',', or identifier",
  "!": "unable to parse requirement: found '', expected: identifier",
  "a>x": `unable to parse requirement: values[0]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer`,
  "-a=1": `unable to parse requirement: <nil>: Invalid value: "-a": name part ${nameRule}`,
  "a/b/c": `unable to parse requirement: <nil>: Invalid value: "a/b/c": a valid label key ${nameRule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
  "/a": `unable to parse requirement: <nil>: Invalid value: "/a": prefix part must be non-empty`,
  "a=b/c": `unable to parse requirement: values[0][a]: Invalid value: "b/c": ${valueRule}`,
};

for (const [selector, message] of Object.entries(refused)) {
  test(`"${selector}" is refused`, () => {
    assert.throws(() => parseLabelSelector(selector), { name: "Fault", message, final: true });
  });
}

test("no selector matches nothing, an empty one everything", () => {
  assert.equal(labelSelectorOf(undefined).matches({ a: "1" }), false);
  assert.equal(labelSelectorOf(null).matches({}), false);
  assert.equal(labelSelectorOf({}).matches(undefined), true);
});

const objects: readonly [LabelSelectorObject, string][] = [
  [{ matchLabels: { b: "2", a: "1" } }, "a=1,b=2"],
  [{ matchExpressions: [{ key: "a", operator: "In", values: ["y", "x"] }] }, "a in (x,y)"],
  [{ matchExpressions: [{ key: "a", operator: "NotIn", values: ["x"] }] }, "a notin (x)"],
  [
    {
      matchExpressions: [
        { key: "b", operator: "Exists" },
        { key: "a", operator: "DoesNotExist", values: [] },
      ],
    },
    "!a,b",
  ],
  [{ matchLabels: { b: "1" }, matchExpressions: [{ key: "a", operator: "Exists" }] }, "a,b=1"],
];

for (const [object, expected] of objects) {
  test(`${JSON.stringify(object)} is ${expected}`, () => assert.equal(labelSelectorText(labelSelectorOf(object)), expected));
}

test("an invalid object form is refused", () => {
  assert.throws(expression("Like", []), { message: '"Like" is not a valid label selector operator' });
  assert.throws(expression("In", []), { message: "values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty" });
  assert.throws(expression("Exists", ["x"]), {
    message: 'values: Invalid value: ["x"]: values set must be empty for exists and does not exist',
  });
});

test("a name that every JavaScript object answers to is no label", () => {
  assert.equal(parseLabelSelector("toString").matches({}), false);
  assert.equal(parseLabelSelector("!toString").matches({}), true);
  assert.equal(parseLabelSelector("constructor!=x").matches({}), true);
});

test("labels of a Service select without a check of their form", () => {
  assert.ok(labelSelectorFor({ "not a key": "not/a value" }).matches({ "not a key": "not/a value" }));
});

test("what is printed reads back as the same selector", () => {
  const word = fc.stringMatching(/^[a-z]{1,3}$/);
  const term = fc.oneof(
    fc.tuple(word, fc.constantFrom("=", "==", "!="), word).map((parts) => parts.join("")),
    fc
      .tuple(word, fc.constantFrom("in", "notin"), fc.array(word, { minLength: 1, maxLength: 3 }))
      .map(([key, op, list]) => `${key} ${op} (${list.join(",")})`),
    word,
    word.map((key) => `!${key}`),
  );
  fc.assert(
    fc.property(fc.array(term, { maxLength: 4 }), fc.dictionary(word, word), (terms, labels) => {
      const selector = parseLabelSelector(terms.join(","));
      const again = parseLabelSelector(labelSelectorText(selector));
      assert.deepEqual(again.requirements, selector.requirements);
      assert.equal(again.matches(labels), selector.matches(labels));
    }),
  );
});

test("any text is read or refused with a Fault", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."ab in(),!=<>") }), (text) => {
      try {
        parseLabelSelector(text);
      } catch (error) {
        assert.equal((error as Error).name, "Fault");
      }
    }),
  );
});

function expression(operator: string, values: readonly string[]): () => unknown {
  return () => labelSelectorOf({ matchExpressions: [{ key: "a", operator, values }] });
}

function labelsOf(text: string): Record<string, string> {
  return Object.fromEntries(
    text
      .split(" ")
      .filter(Boolean)
      .map((pair) => pair.split("=") as [string, string]),
  );
}
