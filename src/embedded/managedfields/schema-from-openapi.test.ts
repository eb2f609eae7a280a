import assert from "node:assert/strict";
import { test } from "node:test";
import { typeOfCustomResource } from "./custom-resource-type.ts";
import { fieldSetText } from "../../../test/support/embedded/workload-type.ts";
import { schemaFromOpenApi } from "./schema-from-openapi.ts";
import { toFieldSet } from "./to-field-set.ts";
import { typedErrorText, validateTyped } from "./validate-typed.ts";

/** A model → its type, both as JSON. Expectations follow kube-openapi pkg/schemaconv. */
const conversions: readonly (readonly [string, object, object])[] = [
  ["text", { type: "string" }, { scalar: "string" }],
  ["bytes", { type: "string", format: "byte" }, { scalar: "string" }],
  ["a time", { type: "string", format: "date-time" }, { scalar: "untyped" }],
  ["int or string", { type: "string", format: "int-or-string" }, { scalar: "untyped" }],
  ["an integer", { type: "integer", format: "int32" }, { scalar: "numeric" }],
  [
    "a list without markers",
    { type: "array", items: { type: "string" } },
    { list: { elementType: { scalar: "string" }, elementRelationship: "atomic" } },
  ],
  [
    "a set",
    { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
    { list: { elementType: { scalar: "string" }, elementRelationship: "associative" } },
  ],
  [
    "a keyed list",
    { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"], items: { $ref: "#/components/schemas/Item" } },
    { list: { elementType: { namedType: "Item" }, elementRelationship: "associative", keys: ["k"] } },
  ],
  [
    "a list from before list types",
    {
      type: "array",
      "x-kubernetes-patch-strategy": "merge,retainKeys",
      "x-kubernetes-patch-merge-key": "name",
      items: { $ref: "#/x/Item" },
    },
    { list: { elementType: { namedType: "Item" }, elementRelationship: "associative", keys: ["name"] } },
  ],
  ["a map", { type: "object", additionalProperties: { type: "integer" } }, { map: { elementType: { scalar: "numeric" } } }],
  ["an object of no properties", { type: "object" }, { map: { elementType: { namedType: "__untyped_deduced_" } } }],
  [
    "a struct with a default and an override",
    {
      type: "object",
      properties: {
        a: { type: "string", default: "x" },
        b: { allOf: [{ $ref: "#/x/Item" }], "x-kubernetes-map-type": "atomic", default: {} },
      },
    },
    {
      map: {
        fields: [
          { name: "a", type: { scalar: "string" }, default: "x" },
          { name: "b", type: { namedType: "Item", elementRelationship: "atomic" }, default: {} },
        ],
      },
    },
  ],
  [
    "unknown fields are kept all the way down",
    {
      type: "object",
      "x-kubernetes-preserve-unknown-fields": true,
      properties: { a: { type: "object", properties: { b: { type: "boolean" } } } },
    },
    {
      map: {
        fields: [
          {
            name: "a",
            type: { map: { fields: [{ name: "b", type: { scalar: "boolean" } }], elementType: { namedType: "__untyped_deduced_" } } },
          },
        ],
        elementType: { namedType: "__untyped_deduced_" },
      },
    },
  ],
  [
    "no type at all may be anything",
    { "x-kubernetes-int-or-string": true },
    {
      scalar: "untyped",
      list: { elementType: { namedType: "__untyped_atomic_" }, elementRelationship: "atomic" },
      map: { elementType: { namedType: "__untyped_deduced_" } },
    },
  ],
];

for (const [title, model, expected] of conversions)
  test(`${title}`, () => {
    assert.deepEqual(schemaFromOpenApi({ T: { ...model } }).types[0], { name: "T", ...expected });
  });

test("quantities are scalars, whatever their model", () => {
  const name = "io.k8s.apimachinery.pkg.api.resource.Quantity";
  assert.deepEqual(schemaFromOpenApi({ [name]: { type: "string" } }).types[0], { name, scalar: "untyped" });
});

test("a schema without merge markers is rejected with all its errors", () => {
  const models = {
    A: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "bag" },
    B: { type: "object", properties: { b: { type: "array", "x-kubernetes-list-type": "map", items: {} } } },
    C: { type: "array" },
  };
  assert.throws(() => schemaFromOpenApi(models), {
    message:
      "convert OpenAPI models to a merge schema: A: unknown list type bag\ninlined in B: missing map keys\nC: `items` must be specified on arrays",
  });
});

const widget = typeOfCustomResource({
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        size: { type: "integer" },
        template: { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
      },
    },
  },
});

test("a custom resource has metadata, and so has an object inside it", () => {
  const object = {
    apiVersion: "example.com/v1",
    kind: "Widget",
    metadata: { name: "w", finalizers: ["f"], ownerReferences: [{ uid: "u" }] },
    spec: { template: { metadata: { labels: { a: "1" } }, extra: [1] } },
  };
  assert.deepEqual(validateTyped(object, widget), []);
  assert.equal(
    fieldSetText(toFieldSet(object, widget)),
    '.apiVersion .kind .metadata.finalizers[="f"] .metadata.name .metadata.ownerReferences[uid="u"] .spec.template.extra .spec.template.metadata.labels.a',
  );
  assert.equal(typedErrorText(validateTyped({ spec: { size: "big" } }, widget)), ".spec.size: expected numeric (int or float), got string");
});

test("without a schema everything is deduced", () => {
  assert.equal(
    fieldSetText(toFieldSet({ spec: { list: [{ a: 1 }], map: { b: 1 } } }, typeOfCustomResource(undefined))),
    ".spec .spec.list .spec.map .spec.map.b",
  );
});
