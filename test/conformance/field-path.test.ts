import assert from "node:assert/strict";
import { test } from "node:test";
import type { Until } from "./conformance-case.ts";
import { answerDifferences } from "./answer-differences.ts";
import { fieldAt, isAsExpected, projectFields } from "./field-path.ts";

const pod = {
  metadata: { name: "a", labels: { "app.example.com/x": "1" } },
  status: {
    phase: "Running",
    conditions: [{ type: "Ready", status: "True", reason: "Fine" }],
    list: [
      { ref: { name: "x" }, n: 1 },
      { ref: { name: "y" }, n: 2 },
    ],
  },
};

const paths: Readonly<Record<string, unknown>> = {
  "status.phase": "Running",
  "status.list.1.n": 2,
  "status.list.ref\\.name=y.n": 2,
  "metadata.labels.app\\.example\\.com/x": "1",
  "status.list.7.n": undefined,
  "status.nothing.at.all": undefined,
};
for (const [path, expected] of Object.entries(paths))
  test(`${path} is ${JSON.stringify(expected)}`, () => assert.deepEqual(fieldAt(pod, path), expected));

const untils: readonly [Until, unknown, boolean][] = [
  ["gone", undefined, true],
  ["gone", pod, false],
  ["present", pod, true],
  ["present", undefined, false],
  [{ "status.phase": "Running" }, pod, true],
  [{ "status.phase": "Running", "status.reason": null }, pod, true],
  [{ "status.phase": null }, pod, false],
  [{ "condition:Ready": "True", "reason:Ready": "Fine" }, pod, true],
  [{ "condition:Ready": "False" }, pod, false],
  [{ "condition:Other": "True" }, pod, false],
  [{ "status.phase": "Running" }, undefined, false],
];
for (const [until, object, expected] of untils) {
  test(`${JSON.stringify(until)} ${expected ? "holds" : "does not hold"} for ${object === undefined ? "nothing" : "the pod"}`, () => {
    assert.equal(isAsExpected(object, until), expected);
  });
}

test("only what is to be seen is shown, of an object and of each item of a list; a refusal is shown in full", () => {
  assert.deepEqual(projectFields(pod, ["status.phase", "status.none"]), { "status.phase": "Running" });
  assert.deepEqual(projectFields({ items: [pod] }, ["metadata.name"]), { items: [{ "metadata.name": "a" }] });
  const status = { kind: "Status", code: 404 };
  assert.equal(projectFields(status, []), status);
  assert.equal(projectFields(pod, undefined), pod);
});

test("differences are named by their place", () => {
  assert.deepEqual(answerDifferences({ a: { b: [1, 2] }, c: 1 }, { a: { b: [1, 3] }, d: 1 }), [
    "a.b[1]: recorded 2, got 3",
    "c: recorded 1, got nothing",
    "d: recorded nothing, got 1",
  ]);
  assert.deepEqual(answerDifferences([1], [1, 2]), [": recorded [1], got [1,2]"]);
  assert.deepEqual(answerDifferences({ l: [{ name: "x" }, { name: "y" }] }, { l: [{ name: "y" }] }), [
    'l.x: recorded {"name":"x"}, got nothing',
  ]);
  assert.deepEqual(answerDifferences({ a: [1] }, { a: [1] }), []);
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`k${index}`, 1]));
  assert.equal(answerDifferences(many, {}, 3).at(-1), "… and 17 more");
});
