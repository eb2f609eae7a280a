import assert from "node:assert/strict";
import { test } from "node:test";
import { headOf } from "./manifest-head.ts";

test("the head of a manifest is read", () => {
  const text =
    "apiVersion: v1\nkind: Job\nspec: {a: [1, {b: c}]}\nmetadata:\n  labels: {x: y}\n  name: j\n  annotations:\n    weight: 5\n    on: off\n";
  assert.deepEqual(headOf(text), {
    apiVersion: "v1",
    kind: "Job",
    metadata: {
      name: "j",
      annotations: new Map([
        ["true", "false"],
        ["weight", "5"],
      ]),
    },
  });
});

test("the whole document is validated, with Helm's messages", () => {
  const wrong: Record<string, string> = {
    "kind: A\nspec:\n  a: b: c\n": "error converting YAML to JSON: yaml: line 3: mapping values are not allowed in this context",
    "kind: A\nspec: {x: .inf}\n": "error converting YAML to JSON: json: unsupported value: +Inf",
    "- a\n": "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type util.SimpleHead",
    "metadata: {name: [1]}\n":
      "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go struct field .metadata.name of type string",
  };
  for (const [text, message] of Object.entries(wrong)) assert.throws(() => headOf(text), { message }, text);
});

test("the head is read through aliases and merge keys", () => {
  const text = "x: &m {name: q, labels: {a: b}}\nmetadata: *m\n<<: {kind: Z}\n";
  assert.deepEqual(headOf(text), { apiVersion: "", kind: "Z", metadata: { name: "q", annotations: undefined } });
});
