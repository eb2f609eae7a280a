import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { KubeObject } from "../../core/object/index.ts";
import type { FieldError } from "../field-error.ts";
import type { CompileCelRule } from "../schema/index.ts";
import { defaultCrd, prepareCrd, crdSpecOf, crdStatusOf, validateCrd } from "./index.ts";

type Recorded = { metadata: KubeObject["metadata"]; spec: unknown; old?: KubeObject; errors: string[] };

// Answers of apiextensions pkg/apis/apiextensions/validation of Kubernetes v1.35.8 itself.
const recorded = JSON.parse(readFileSync(new URL("recorded/crds.json", import.meta.url), "utf8")) as Recorded[];

function crdWith(spec: unknown, metadata: KubeObject["metadata"] = { name: "widgets.example.com" }): KubeObject {
  return { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata, spec };
}

function lines(errors: readonly FieldError[]): readonly string[] {
  return errors.map(({ reason, field, message }) => `${reason}|${field}: ${message}`).toSorted();
}

for (const [index, { metadata, spec, old, errors }] of recorded.entries()) {
  test(`CRD ${index}: ${errors[0] ?? "is accepted"}`, () => {
    const sent = defaultCrd(crdWith(spec, metadata));
    const written = old === undefined ? prepareCrd(sent) : { ...sent, status: old["status"] };
    assert.deepEqual(lines(validateCrd(written, old === undefined ? {} : { old })), errors);
  });
}

const names = { plural: "widgets", kind: "Widget" };

test("of a CRD without a name nothing is said about the name: that it is missing is said of every object", () => {
  const { metadata: _metadata, ...nameless } = crdWith({ group: "example.com" });
  const errors = validateCrd(prepareCrd(defaultCrd({ ...nameless, metadata: JSON.parse("{}") as KubeObject["metadata"] })));
  assert.deepEqual(
    errors.filter(({ field }) => field.startsWith("metadata")),
    [],
  );
});

test("names and conversion are filled in", () => {
  const { spec } = defaultCrd(crdWith({ group: "example.com", names }));
  assert.deepEqual(spec, {
    group: "example.com",
    names: { plural: "widgets", kind: "Widget", singular: "widget", listKind: "WidgetList" },
    conversion: { strategy: "None" },
  });
});

test("what is given is kept, and the object is not changed", () => {
  const given = crdWith({ names: { ...names, singular: "w", listKind: "Widgets" }, conversion: { strategy: "Webhook" } });
  const before = JSON.stringify(given);
  assert.deepEqual(crdSpecOf(defaultCrd(given)).names, { ...names, singular: "w", listKind: "Widgets" });
  assert.equal(JSON.stringify(given), before);
});

test("the storage version is remembered, also when another one takes over", () => {
  const first = prepareCrd(crdWith({ versions: [{ name: "v1", storage: true }] }));
  assert.deepEqual(crdStatusOf(first).storedVersions, ["v1"]);
  const next = prepareCrd(crdWith({ versions: [{ name: "v1" }, { name: "v2", storage: true }] }), first);
  assert.deepEqual(crdStatusOf(next).storedVersions, ["v1", "v2"]);
});

test("a status that a client sends along is not taken over", () => {
  const sent = { ...crdWith({ versions: [{ name: "v1", storage: true }] }), status: { storedVersions: ["v0"] } };
  assert.deepEqual(crdStatusOf(prepareCrd(sent)).storedVersions, ["v1"]);
});

function withRules(rules: readonly unknown[], listType?: string): KubeObject {
  const size = { type: "integer", "x-kubernetes-validations": rules };
  const spec = listType === undefined ? size : { type: "array", items: size, "x-kubernetes-list-type": listType };
  const versions = [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object", properties: { spec } } } }];
  return prepareCrd(defaultCrd(crdWith({ group: "example.com", scope: "Namespaced", names, versions })));
}

const refuseBroken: CompileCelRule = (rule) => {
  if (rule.includes("broken")) throw new Error("ERROR: <input>:1:1: undeclared reference to 'broken'");
  return { run: () => ({ value: true, cost: 1 }), estimate: () => ({ maxCost: 1, maxCardinality: 1 }) };
};

test("rules that do not compile are rejected, if there is a compiler", () => {
  const path = "spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule";
  const rule = '{"Rule":"broken","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}';
  const why = "compilation failed: ERROR: <input>:1:1: undeclared reference to 'broken'";
  assert.deepEqual(lines(validateCrd(withRules([{ rule: "broken" }]), { compile: refuseBroken })), [
    `FieldValueInvalid|${path}: Invalid value: ${rule}: ${why}`,
  ]);
  assert.deepEqual(validateCrd(withRules([{ rule: "broken" }])), []);
});

test("a schema is compiled once however many CRDs have it, and its errors are reported each time", () => {
  let compiled = 0;
  const counting: CompileCelRule = (rule, schema, options) => {
    compiled++;
    return refuseBroken(rule, schema, options);
  };
  assert.deepEqual(validateCrd(withRules([{ rule: "self > 0" }]), { compile: counting }), []);
  assert.deepEqual(validateCrd(withRules([{ rule: "self > 0" }]), { compile: counting }), []);
  assert.equal(compiled, 1);
  assert.deepEqual(validateCrd(withRules([{ rule: "self > 1" }]), { compile: counting }), []);
  assert.equal(compiled, 2);
  for (const _ of [1, 2]) assert.equal(validateCrd(withRules([{ rule: "broken" }]), { compile: counting }).length, 1);
});

test("oldSelf is rejected where it cannot be correlated", () => {
  const found = validateCrd(withRules([{ rule: "self == oldSelf" }], "set"), { compile: refuseBroken });
  const list = "spec.validation.openAPIV3Schema.properties[spec]";
  assert.deepEqual(lines(found), [
    `FieldValueInvalid|${list}.items.x-kubernetes-validations[0].rule: Invalid value: "self == oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within ${list}`,
  ]);
  const optional = validateCrd(withRules([{ rule: "self > 0", optionalOldSelf: true }]), { compile: refuseBroken });
  assert.match(lines(optional)[0] ?? "", /optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule$/);
});

function costing(maxCost: number): CompileCelRule {
  return () => ({ run: () => ({ value: true, cost: 1 }), estimate: () => ({ maxCost, maxCardinality: 1 }) });
}

test("a rule over the budget is refused by its factor, as Go prints it", () => {
  const factors = [
    [10_000_000, undefined],
    [10_000_001, "1.000000x"],
    [10_078_125, "1.007812x"],
    [15_000_000, "1.5x"],
    [22_500_000, "2.2x"],
    [27_500_000, "2.8x"],
    [99_999_999, "10.0x"],
    [2 ** 64, "more than 100x"],
  ] as const;
  for (const [cost, factor] of factors) {
    const found = validateCrd(withRules([{ rule: "self > 0" }]), { compile: costing(cost) });
    assert.equal(found[0]?.message.match(/factor of (.*) \(/)?.[1], factor);
  }
});

test("a schema that was stored before keeps a rule over the budget, and a changed one does not", () => {
  const [stored, changed] = [withRules([{ rule: "self > 0" }]), withRules([{ rule: "self > 1" }])];
  const compile = costing(20_000_000);
  assert.deepEqual(validateCrd(stored, { compile, old: stored }), []);
  assert.equal(validateCrd(changed, { compile, old: stored }).length, 1);
  assert.equal(validateCrd(stored, { compile }).length, 1);
});

test("versions that are null are missing", () => {
  const spec = { group: "b.io", scope: "Namespaced", names: { plural: "as", singular: "a", kind: "A", listKind: "AList" }, versions: null };
  const crd = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata: { name: "as.b.io" }, spec };
  const { versions: _versions, ...without } = spec;
  assert.deepEqual(validateCrd(crd), validateCrd({ ...crd, spec: without }));
  assert.ok(validateCrd(crd).length > 0);
});
