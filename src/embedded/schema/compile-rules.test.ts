import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { isFields, valueAt } from "../../core/object/index.ts";
import type { FieldError } from "../field-error.ts";
import {
  compileRules,
  followFieldPath,
  rulesBlockedBy,
  usesOldSelf,
  type CompileCelRule,
  type RuleBindings,
  type RuleRun,
  type JsonSchemaProps,
} from "./index.ts";

/** Rules in JavaScript, so that the finding of rules is tested without a language for them. */
const compile: CompileCelRule = (rule) => {
  const known = rules[rule];
  if (known === undefined) throw new Error(`undeclared reference to '${rule}'`);
  const run = (bindings: RuleBindings): RuleRun => {
    try {
      return { value: known(bindings), cost: 1 };
    } catch (cause) {
      return { error: cause instanceof Error ? cause.message : String(cause), cost: 1 };
    }
  };
  return { run, estimate: () => ({ maxCost: 1, maxCardinality: 1 }) };
};

function valueOf(value: unknown): number {
  return isFields(value) && typeof value["v"] === "number" ? value["v"] : 0;
}

const rules: Readonly<Record<string, (bindings: RuleBindings) => unknown>> = {
  never: () => false,
  false: () => false,
  "self > 2": ({ self }) => Number(self) > 2,
  "self.spec.a > 3": ({ self }) => Number(valueAt(self, "spec.a")) > 3,
  "self.metadata.name == 'x'": ({ self }) => valueAt(self, "metadata.name") === "x",
  "'got ' + string(self)": ({ self }) => `got ${String(self)}`,
  "''": () => "",
  "'a\\nb'": () => "a\nb",
  "self == oldSelf": ({ self, oldSelf }) => self === oldSelf,
  "oldSelf.hasValue()": ({ oldSelf }) => oldSelf !== undefined,
  "self.v >= oldSelf.v": ({ self, oldSelf }) => valueOf(self) >= valueOf(oldSelf),
  failing: () => {
    throw new Error("no such key: x");
  },
  overload: () => {
    throw new Error("no such overload: size(int)");
  },
  "say it": ({ self }) => ` got ${String(self)} `,
  "say nothing": () => "  ",
};

function lines(errors: readonly FieldError[]): readonly string[] {
  return errors.map(({ reason, field, message }) => `${reason}|${field}: ${message}`);
}

function check(schema: JsonSchemaProps, value: unknown, old?: unknown): readonly string[] {
  const checkRules = compileRules(schema, compile);
  assert.ok(checkRules);
  return lines(checkRules(value, old === undefined ? {} : { old }));
}

function sized(...validations: JsonSchemaProps["x-kubernetes-validations"] & {}): JsonSchemaProps {
  return { type: "object", properties: { size: { type: "integer", "x-kubernetes-validations": validations } } };
}

// The words are those of apiextensions pkg/apiserver/schema/cel/validation.go
const messages: readonly (readonly [JsonSchemaProps["x-kubernetes-validations"] & {}, string])[] = [
  [[{ rule: "never" }], "FieldValueInvalid|size: Invalid value: 1: failed rule: never"],
  [[{ rule: "never", message: " must be more " }], "FieldValueInvalid|size: Invalid value: 1: must be more"],
  [[{ rule: "never", message: "m", messageExpression: "say it" }], "FieldValueInvalid|size: Invalid value: 1: got 1"],
  [[{ rule: "never", message: "m", messageExpression: "say nothing" }], "FieldValueInvalid|size: Invalid value: 1: m"],
  [[{ rule: "never", message: "m", reason: "FieldValueForbidden" }], "FieldValueForbidden|size: Forbidden: m"],
  [[{ rule: "never", message: "m", reason: "FieldValueRequired" }], "FieldValueRequired|size: Required value: m"],
  [[{ rule: "never", message: "m", reason: "FieldValueDuplicate" }], "FieldValueDuplicate|size: Duplicate value: 1"],
  [[{ rule: "failing" }], 'FieldValueInvalid|size: Invalid value: "integer": no such key: x evaluating rule: failing'],
  [
    [{ rule: "overload" }],
    "FieldValueInvalid|size: Invalid value: \"integer\": 'no such overload: size(int)': call arguments did not match a supported operator, function or macro signature for rule: overload",
  ],
  [[{ rule: "oops" }], "FieldValueInvalid|size: Invalid value: \"integer\": rule compile error: undeclared reference to 'oops'"],
];

for (const [validations, expected] of messages) {
  test(`${JSON.stringify(validations)} is told as ${expected}`, () => {
    assert.deepEqual(check(sized(...validations), { size: 1 }), [expected]);
  });
}

test("objects are not printed, and a field path leads to what is wrong in them", () => {
  const rule = { rule: "never", message: "m", fieldPath: ".spec.size" };
  const spec: JsonSchemaProps = { type: "object", properties: { size: { type: "integer" } } };
  const schema: JsonSchemaProps = { type: "object", properties: { spec }, "x-kubernetes-validations": [{ rule: "never" }, rule] };
  assert.deepEqual(check(schema, { spec: { size: 1 } }), [
    "FieldValueInvalid|<nil>: Invalid value: failed rule: never",
    "FieldValueInvalid|spec.size: Invalid value: m",
  ]);
});

test("a schema without rules has nothing to check", () => {
  assert.equal(compileRules({ type: "object", properties: { a: { type: "string" } } }, compile), undefined);
});

test("rules about a change wait for an old value, unless it is optional", () => {
  const schema = sized({ rule: "self == oldSelf", message: "is immutable" });
  assert.deepEqual(check(schema, { size: 1 }), []);
  assert.deepEqual(check(schema, { size: 1 }, {}), []);
  assert.deepEqual(check(schema, { size: 1 }, { size: 1 }), []);
  assert.deepEqual(check(schema, { size: 2 }, { size: 1 }), ["FieldValueInvalid|size: Invalid value: 2: is immutable"]);
  const optional = sized({ rule: "oldSelf.hasValue()", optionalOldSelf: true, message: "was not there" });
  assert.deepEqual(check(optional, { size: 1 }), ["FieldValueInvalid|size: Invalid value: 1: was not there"]);
  assert.deepEqual(check(optional, { size: 1 }, { size: 1 }), []);
});

const member: JsonSchemaProps = {
  type: "object",
  properties: { n: { type: "string" }, v: { type: "integer" } },
  "x-kubernetes-validations": [{ rule: "self.v >= oldSelf.v", message: "shrinks" }],
};

function listOf(items: JsonSchemaProps): JsonSchemaProps {
  return { type: "object", properties: { l: items } };
}

test("items of a list are compared when their keys correlate them", () => {
  const byKey: JsonSchemaProps = { type: "array", items: member, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["n"] };
  const before = {
    l: [
      { n: "a", v: 5 },
      { n: "b", v: 1 },
    ],
  };
  const after = {
    l: [
      { n: "b", v: 2 },
      { n: "a", v: 3 },
      { n: "c", v: 0 },
    ],
  };
  assert.deepEqual(check(listOf(byKey), after, before), ["FieldValueInvalid|l[1]: Invalid value: shrinks"]);
  assert.deepEqual(check(listOf({ ...byKey, "x-kubernetes-list-type": "atomic" }), after, before), []);
});

test("values of a map are compared by key", () => {
  const schema: JsonSchemaProps = { type: "object", properties: { m: { type: "object", additionalProperties: member } } };
  assert.deepEqual(check(schema, { m: { a: { v: 3 }, b: { v: 1 } } }, { m: { a: { v: 5 } } }), [
    "FieldValueInvalid|m[a]: Invalid value: shrinks",
  ]);
});

test("rules are found, evaluated and ratcheted as in Kubernetes", () => {
  type Recorded = { schema: JsonSchemaProps; value: unknown; old?: unknown; errors: string[] };
  const recorded = JSON.parse(readFileSync(new URL("recorded/rules.json", import.meta.url), "utf8")) as Recorded[];
  for (const { schema, value, old, errors } of recorded) {
    assert.deepEqual(check(schema, value, old).toSorted(), errors, JSON.stringify({ schema, value, old }));
  }
});

test("an unchanged value that already failed is accepted", () => {
  const schema = sized({ rule: "never" });
  assert.deepEqual(check(schema, { size: 1, more: 2 }, { size: 1 }), []);
  assert.deepEqual(check(schema, { size: 2 }, { size: 1 }), ["FieldValueInvalid|size: Invalid value: 2: failed rule: never"]);
});

test("oldSelf inside of a string is not oldSelf", () => {
  assert.equal(usesOldSelf("self == oldSelf"), true);
  assert.equal(usesOldSelf("oldSelf.orValue(1) > 0"), true);
  assert.equal(usesOldSelf('self != \'oldSelf\' && self.oldSelf == "\\"oldSelf"'), false);
});

const paths: readonly (readonly [string, string])[] = [
  [".spec.size", "spec.size"],
  ["['spec'].labels['a.b']", "spec.labels[a.b]"],
  [".spec.labels.app", "spec.labels[app]"],
  [".spec.none", "does not refer to a valid field"],
  ["spec", "expected [ or . but got: spec"],
  [".spec[size]", "expected single quoted string but got size"],
  [".spec['size'", "unexpected end of JSON path"],
  [".", "unexpected end of JSON path"],
];

for (const [path, expected] of paths) {
  test(`field path ${path}: ${expected}`, () => {
    const labels: JsonSchemaProps = { type: "object", additionalProperties: { type: "string" } };
    const schema: JsonSchemaProps = {
      type: "object",
      properties: { spec: { type: "object", properties: { size: { type: "integer" }, labels } } },
    };
    const found = followFieldPath(path, schema);
    assert.equal(typeof found === "string" ? found : found.path, expected);
  });
}

test("errors of type block rules, errors of value do not", () => {
  assert.equal(rulesBlockedBy([{ field: "a", reason: "FieldValueInvalid", message: "" }]), undefined);
  assert.equal(rulesBlockedBy([{ field: "a", reason: "FieldValueTooLong", message: "" }])?.field, "<nil>");
});

function withCosts(...costs: readonly number[]): JsonSchemaProps {
  return { type: "array", items: { type: "string", "x-kubernetes-validations": costs.map((cost) => ({ rule: String(cost) })) } };
}

function over(item: string): string {
  return `FieldValueInvalid|${item}: Invalid value: "string": validation failed due to running out of cost budget, no further validation rules will be run`;
}

test("the rules about one object share a budget, and none is evaluated after it is over", () => {
  const ran: number[] = [];
  const priced: CompileCelRule = (rule) => ({
    run: () => {
      ran.push(Number(rule));
      return { value: true, cost: Number(rule) };
    },
    estimate: () => ({ maxCost: 1, maxCardinality: 1 }),
  });
  const table = [
    { costs: [4_000_000], items: 2, ran: 2, errors: [] },
    { costs: [5_000_000], items: 2, ran: 2, errors: [] },
    { costs: [5_000_000, 0], items: 2, ran: 4, errors: [] },
    // Nothing is left for the third item, whatever its rules cost.
    { costs: [5_000_000, 0], items: 4, ran: 4, errors: [over("[2]")] },
    { costs: [4_000_000, 1], items: 4, ran: 5, errors: [over("[2]")] },
    { costs: [10_000_001, 1], items: 1, ran: 1, errors: [over("[0]")] },
  ];
  for (const { costs, items, ran: count, errors } of table) {
    ran.length = 0;
    const found = compileRules(withCosts(...costs), priced)?.(Array.from({ length: items }, () => "x"));
    assert.deepEqual({ errors: lines(found ?? []), ran: ran.length }, { errors, ran: count });
  }
});
