import assert from "node:assert/strict";
import { test } from "node:test";
import { lineFor } from "../../../core/fault/index.ts";
import {
  assumed,
  defaulted,
  integer,
  integerOrText,
  list,
  map,
  nonEmptyText,
  object,
  oneOf,
  optional,
  partlyBuilt,
  refused,
  text,
  boolShape,
  type ReadIssues,
  type Shape,
} from "./index.ts";

const pod = object({
  name: nonEmptyText,
  replicas: defaulted(integer({ minimum: 0 }), 1),
  paused: assumed(boolShape, false),
  labels: optional(map(text())),
  ports: optional(list(object({ port: integer() }))),
  policy: optional(partlyBuilt(oneOf("Always", "Never"), "Always")),
  share: optional(integerOrText("^[0-9]+%$")),
  hostNetwork: refused(boolShape, true),
  volumes: refused(list(text())),
});

function read<T>(shape: Shape<T>, value: unknown): { value: T; problems: readonly string[]; refused: readonly string[] } {
  const issues: ReadIssues = { problems: [], refused: [] };
  const result = shape.read(value, "spec", issues);
  return { value: result, problems: issues.problems.map(lineFor), refused: issues.refused };
}

test("absent fields get their default, and null is absent", () => {
  const expected = { name: "a", replicas: 1, paused: false };
  assert.deepEqual(read(pod, { name: "a" }), { value: expected, problems: [], refused: [] });
  assert.deepEqual(read(pod, { name: "a", replicas: null, labels: null, volumes: null }).value, expected);
});

test("all problems are collected, each with its path", () => {
  const wrong = { replicas: -1, paused: "no", labels: { a: 1 }, ports: [{ port: 1.5 }, {}], policy: "Often", share: "half" };
  assert.deepEqual(read(pod, wrong).problems, [
    "spec.name: is missing",
    "spec.replicas: found -1, expected an integer of at least 0",
    'spec.paused: found "no", expected true or false',
    "spec.labels[a]: found 1, expected a string",
    "spec.ports[0].port: found 1.5, expected an integer",
    "spec.ports[1].port: is missing",
    'spec.policy: found "Often", expected one of Always, Never',
    'spec.share: found "half", expected an integer or text like ^[0-9]+%$',
  ]);
  assert.deepEqual(read(pod, [1]).problems, ["spec: found [1], expected an object"]);
  assert.deepEqual(read(list(nonEmptyText), {}).problems, ["spec: found {}, expected a list"]);
});

const refusals: Readonly<Record<string, readonly [value: object, refused: readonly string[]]>> = {
  "a field that is set": [{ volumes: ["a"] }, ["spec.volumes"]],
  "a field at its default": [{ hostNetwork: true }, []],
  "a field against its default": [{ hostNetwork: false }, ["spec.hostNetwork"]],
  "a field that asks for nothing": [{ volumes: [] }, []],
  "a word that is not built": [{ policy: "Never" }, ["spec.policy=Never"]],
  "an unknown field that asks for nothing": [{ color: "" }, []],
};

for (const [what, [value, expected]] of Object.entries(refusals)) {
  test(`refused: ${what}`, () => {
    const reading = read(pod, { name: "a", ...value });
    assert.deepEqual([reading.problems, reading.refused], [[], expected]);
  });
}

const unknown: Readonly<Record<string, readonly [value: object, problem: string]>> = {
  "a letter too few": [{ replica: 2 }, "spec.replica: unknown field: did you mean replicas?"],
  "letters in another order": [{ lables: { a: "b" } }, "spec.lables: unknown field: did you mean labels?"],
  "another case": [{ hostnetwork: true }, "spec.hostnetwork: unknown field: did you mean hostNetwork?"],
  "inside a list": [{ ports: [{ port: 1, prt: 2 }] }, "spec.ports[0].prt: unknown field: did you mean port?"],
  "nothing like it among few": [{ ports: [{ port: 1, color: 2 }] }, "spec.ports[0].color: unknown field; expected one of port"],
  "nothing like it among many": [{ color: "blue" }, "spec.color: unknown field"],
  "a long name": [{ ["x".repeat(100_000)]: 1 }, `spec.${"x".repeat(100_000)}: unknown field`],
};

for (const [what, [value, expected]] of Object.entries(unknown)) {
  test(`an unknown field is a problem: ${what}`, () => {
    const reading = read(pod, { name: "a", ...value });
    assert.deepEqual([reading.problems, reading.refused], [[expected], []]);
  });
}

test("a shape says what it refuses, and what the API server checks", () => {
  assert.deepEqual(list(pod).notBuilt, ["[].policy=Never", "[].hostNetwork", "[].volumes"]);
  assert.deepEqual(object({ a: optional(boolShape), b: nonEmptyText }, { exactlyOneOf: ["a", "b"] }).schema, {
    type: "object",
    required: ["b"],
    properties: { a: { type: "boolean" }, b: { type: "string", minLength: 1 } },
    oneOf: [{ required: ["a"] }, { required: ["b"] }],
  });
  assert.deepEqual(pod.schema["properties"], {
    name: { type: "string", minLength: 1 },
    replicas: { type: "integer", minimum: 0, default: 1 },
    paused: { type: "boolean" },
    labels: { type: "object", additionalProperties: { type: "string" } },
    ports: { type: "array", items: { type: "object", required: ["port"], properties: { port: { type: "integer" } } } },
    policy: { type: "string", enum: ["Always", "Never"] },
    share: { anyOf: [{ type: "integer" }, { type: "string" }], pattern: "^[0-9]+%$", "x-kubernetes-int-or-string": true },
    hostNetwork: { type: "boolean", default: true },
    volumes: { type: "array", items: { type: "string" } },
  });
});

test("__proto__ and constructor are ordinary keys", () => {
  const value: unknown = JSON.parse('{"__proto__":"a","constructor":"b"}');
  assert.deepEqual(Object.keys(read(map(text()), value).value), ["__proto__", "constructor"]);
  assert.deepEqual(read(pod, JSON.parse('{"name":"a","__proto__":{"replicas":9}}')).value.replicas, 1);
});
