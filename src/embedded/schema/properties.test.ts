import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { schemaOf } from "../data/index.ts";
import {
  applyDefaults,
  decodeError,
  dropNulls,
  followFieldPath,
  pruneUnknownFields,
  pruneTyped,
  validateSchemaValue,
  type JsonSchemaProps,
} from "./index.ts";

const text: JsonSchemaProps = { type: "string", default: "d" };
const names = ["a", "b", "c", "__proto__", "constructor"];

/** Structural schemas over few names, so that values meet them. */
const { node } = fc.letrec<{ node: JsonSchemaProps }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    fc.constant(text),
    fc.constant<JsonSchemaProps>({ type: "integer", nullable: true, minimum: 1 }),
    fc.constant<JsonSchemaProps>({ "x-kubernetes-preserve-unknown-fields": true }),
    fc.record({ type: fc.constant("array" as const), items: tie("node") }),
    fc.record({ type: fc.constant("object" as const), additionalProperties: tie("node") }),
    fc.record({ type: fc.constant("object" as const), properties: fc.dictionary(fc.constantFrom(...names), tie("node")) }),
  ),
}));

const value = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, 0, 1, 2.5, "", "d", "é"),
    fc.array(tie("json"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...names, "d"), tie("json")),
  ),
})).json;

test("pruning what is pruned changes nothing, and finds nothing", () => {
  fc.assert(
    fc.property(node, value, (schema, sent) => {
      const once = pruneUnknownFields(sent, schema).value;
      assert.deepEqual(pruneUnknownFields(once, schema), { value: once, unknown: [] });
    }),
  );
});

test("defaults are filled in once and for all, and nothing is changed in place", () => {
  fc.assert(
    fc.property(node, value, (schema, sent) => {
      const before = JSON.stringify(sent);
      const filled = applyDefaults(dropNulls(sent, schema), schema);
      assert.deepEqual(applyDefaults(dropNulls(filled, schema), schema), filled);
      assert.equal(JSON.stringify(sent), before);
    }),
  );
});

test("an unchanged value is never rejected", () => {
  fc.assert(
    fc.property(node, value, (schema, sent) => {
      const known = pruneUnknownFields(sent, schema).value;
      const holder: JsonSchemaProps = { type: "object", properties: { x: schema } };
      assert.deepEqual(validateSchemaValue({ x: known }, holder, { old: { x: known } }), []);
    }),
  );
});

test("any JSON is decoded, or has a decode error", () => {
  const pod = schemaOf({ group: "", version: "v1", kind: "Pod" });
  assert.ok(pod);
  fc.assert(
    fc.property(value, (sent) => {
      const inside = { metadata: sent, spec: { containers: [sent], volumes: sent } };
      assert.match(decodeError(inside, pod) ?? "json: ", /^json: |^parsing time /);
      assert.ok(pruneTyped(inside, pod).unknown.every((path) => path !== ""));
    }),
  );
});

test("any field path is resolved or rejected", () => {
  const schema: JsonSchemaProps = { type: "object", properties: { a: { type: "object", additionalProperties: text } } };
  const pieces = fc.array(fc.constantFrom(".", "[", "]", "'", "a", "b", "\\", "a.b", "\\n"), { maxLength: 8 });
  fc.assert(
    fc.property(pieces, (parts) => {
      const found = followFieldPath(parts.join(""), schema);
      assert.ok(typeof found === "string" ? found !== "" : found.names.length <= parts.length);
    }),
  );
});
