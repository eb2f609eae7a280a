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
  return () => true;
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
