import assert from "node:assert/strict";
import { test } from "node:test";
import { valueAt } from "../../core/object/index.ts";
import { decodedSchema } from "./decoded-schema.ts";
import { defaultCrd, prepareCrd, validateCrd } from "./index.ts";

/** Every kind of field that a schema has. */
const schema = {
  type: "object",
  description: "x",
  required: ["spec"],
  "x-kubernetes-validations": [
    {
      rule: "has(self.spec)",
      message: "m",
      messageExpression: "'a'",
      reason: "FieldValueInvalid",
      fieldPath: ".spec",
      optionalOldSelf: true,
    },
  ],
  properties: {
    spec: {
      type: "object",
      properties: {
        a: { type: "string", pattern: "^a", minLength: 1, maxLength: 5, enum: ["a"], default: "a", format: "date", nullable: true },
        l: {
          type: "array",
          items: { type: "object", properties: { k: { type: "string" } }, required: ["k"] },
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["k"],
        },
        m: { type: "object", additionalProperties: { type: "string" }, "x-kubernetes-map-type": "granular" },
        q: { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] },
        o: { type: "string", oneOf: [{ pattern: "a" }], not: { pattern: "b" }, allOf: [{ maxLength: 3 }] },
      },
    },
  },
};

type Place = readonly [holder: string, name: string];

/** All places in a value, by the path of what holds them. */
function placesIn(value: unknown, path = ""): readonly Place[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [[path, name] as const, ...placesIn(inner, `${path}/${name}`)]);
}

type Changed = { readonly schema: object; readonly holder: Record<string, unknown> };

/** A copy of the schema, and what is at a path of it. */
function copyAt(path: string): Changed {
  const copy = structuredClone(schema);
  const holder = path
    .split("/")
    .slice(1)
    .reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], copy);
  return { schema: copy, holder: holder as Record<string, unknown> };
}

function errorsOf(openAPIV3Schema: object): readonly string[] {
  const names = { plural: "as", kind: "A" };
  const versions = [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }];
  const metadata = { name: "as.b.io" };
  const spec = { group: "b.io", scope: "Namespaced", names, versions };
  const crd = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata, spec };
  return validateCrd(prepareCrd(defaultCrd(crd))).map(({ reason, field, message }) => `${reason} ${field}: ${message}`);
}

for (const [path, name] of placesIn(schema)) {
  test(`null at ${path}/${name} is what Go's decoder makes of it`, () => {
    const [asNull, asDecoded] = [copyAt(path), copyAt(path)];
    asNull.holder[name] = null;
    // Of lists and maps the items are structs; an item of `required` and the like is a text.
    const isItem = /^\d+$/.test(name) || path.endsWith("/properties");
    const isText = /\/(required|x-kubernetes-list-map-keys)$/.test(path);
    if (path.endsWith("/enum") || isText) return void errorsOf(asNull.schema);
    if (isItem) asDecoded.holder[name] = {};
    else delete asDecoded.holder[name];
    assert.deepEqual(errorsOf(asNull.schema), errorsOf(asDecoded.schema));
  });
}

test("a rule that is missing is an empty one", () => {
  const { schema: given, holder } = copyAt("/x-kubernetes-validations/0");
  delete holder["rule"];
  assert.match(errorsOf(given).join("\n"), /x-kubernetes-validations\[0\]\.rule: Required value: rule is not specified/);
});

test("a schema may be nested deeper than the stack is", () => {
  const depth = 50_000;
  let nested: object = { type: "string", format: null };
  for (let level = 0; level < depth; level++) nested = { not: nested };
  let found: unknown = decodedSchema(nested);
  for (let level = 0; level < depth; level++) found = valueAt(found, "not");
  assert.deepEqual(found, { type: "string" });
});
