import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { schemaOf } from "../data/index.ts";
import type { FieldError } from "../field-error.ts";
import {
  applyDefaults,
  decodeError,
  dropNulls,
  pruneUnknownFields,
  unknownFields,
  validateSchemaValue,
  validateListTypes,
  type JsonSchemaProps,
} from "./index.ts";

// The answers under recorded/ were given by the functions of Kubernetes v1.35.8 themselves: apiextensions
// pkg/apiserver/validation and pkg/apiserver/schema/{pruning,defaulting,listtype}, sigs.k8s.io/json UnmarshalStrict.

function recorded<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`recorded/${name}.json`, import.meta.url), "utf8")) as T;
}

/** Errors in the form they are recorded in; Kubernetes walks maps in no order, so they are sorted. */
function lines(errors: readonly FieldError[]): readonly string[] {
  return errors.map(({ reason, field, message }) => `${reason}|${field}: ${message}`).toSorted();
}

type Answer = { value: unknown; errors: string[] };

const { values, update } = recorded<{
  values: { schema: JsonSchemaProps; answers: Answer[] }[];
  update: { schema: JsonSchemaProps; old: unknown; answers: Answer[] };
}>("validate");

function underSpec(schema: JsonSchemaProps): JsonSchemaProps {
  return { type: "object", properties: { spec: { type: "object", properties: { x: schema } } } };
}

for (const { schema, answers } of values) {
  test(`${JSON.stringify(schema)} is checked as Kubernetes checks it`, () => {
    for (const { value, errors } of answers) {
      const found = lines(validateSchemaValue({ spec: { x: value } }, underSpec(schema)));
      assert.deepEqual(found, errors, JSON.stringify(value));
    }
  });
}

test("an unchanged value that was invalid before is accepted", () => {
  for (const { value, errors } of update.answers) {
    assert.deepEqual(lines(validateSchemaValue(value, update.schema, { old: update.old })), errors, JSON.stringify(value));
  }
});

test("errors of a part of an object have its path in the object", () => {
  const schema: JsonSchemaProps = { type: "object", properties: { phase: { type: "string", enum: ["On"] } } };
  assert.deepEqual(lines(validateSchemaValue({ phase: "Off" }, schema, { at: "status" })), [
    'FieldValueNotSupported|status.phase: Unsupported value: "Off": supported values: "On"',
  ]);
});

const { texts, accepted } = recorded<{ texts: string[]; accepted: Record<string, string[]> }>("formats");

for (const [format, expected] of Object.entries(accepted)) {
  test(`format ${format} accepts what Kubernetes accepts`, () => {
    const schema: JsonSchemaProps = { type: "string", format };
    assert.deepEqual(
      texts.filter((text) => validateSchemaValue(text, schema).length === 0),
      expected,
    );
  });
}

type Shape = { schema: JsonSchemaProps; value: unknown; pruned: unknown; unknown: string[]; defaulted: unknown };

test("objects are pruned and defaulted as Kubernetes does it, and never changed in place", () => {
  for (const { schema, value, pruned, unknown, defaulted } of recorded<Shape[]>("shape")) {
    const before = JSON.stringify(value);
    assert.deepEqual(pruneUnknownFields(value, schema), { value: pruned, unknown });
    assert.deepEqual(applyDefaults(dropNulls(value, schema), schema), defaulted);
    assert.equal(JSON.stringify(value), before);
  }
});

test("what needs no change comes back as it is", () => {
  const schema: JsonSchemaProps = {
    type: "object",
    properties: { a: { type: "object", properties: { b: { type: "string", default: "x" } } } },
  };
  const value = { a: { b: "c" } };
  assert.equal(pruneUnknownFields(value, schema).value, value);
  assert.equal(applyDefaults(value, schema), value);
});

test("sets and maps among lists have no member twice", () => {
  const { schema, answers } = recorded<{ schema: JsonSchemaProps; answers: Answer[] }>("lists");
  for (const { value, errors } of answers) assert.deepEqual(lines(validateListTypes(value, schema)), errors, JSON.stringify(value));
});

const groups: Readonly<Record<string, string>> = { Deployment: "apps", Job: "batch" };

for (const { kind, value, error, unknown } of recorded<{ kind: string; value: unknown; error: string; unknown: string[] }[]>("decode")) {
  test(`${kind} ${JSON.stringify(value)} is decoded as Go decodes it`, () => {
    const schema = schemaOf({ group: groups[kind] ?? "", version: "v1", kind });
    assert.ok(schema);
    assert.equal(decodeError(value, schema) ?? "", error);
    if (error === "") assert.deepEqual(unknownFields(value, schema), unknown);
  });
}
