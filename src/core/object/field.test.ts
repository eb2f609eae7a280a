import assert from "node:assert/strict";
import { test } from "node:test";
import {
  booleanAt,
  findCondition,
  conditionsOf,
  fieldsAt,
  isKubeObject,
  listAt,
  mapAt,
  numberAt,
  stringAt,
  stringsAt,
  valueAt,
} from "./field.ts";

const object = {
  spec: { replicas: 3, paused: true, name: "a", args: ["x", 1, "y"], selector: { app: "web", n: 1 }, list: [{ a: 1 }, "no", null] },
  status: { conditions: [{ type: "Ready", status: "True" }, { type: "Broken" }, { type: "Done", status: "False", reason: "Busy" }] },
};

test("values are found by path, and nothing where the path ends early", () => {
  assert.equal(valueAt(object, "spec.replicas"), 3);
  for (const path of ["spec.absent", "spec.replicas.deeper", "spec.args.0", "toString", "spec.constructor"])
    assert.equal(valueAt(object, path), undefined, path);
  assert.equal(valueAt(undefined, "spec"), undefined);
});

test("readers return a value of their type, or the default", () => {
  assert.equal(numberAt(object, "spec.replicas"), 3);
  assert.equal(numberAt(object, "spec.name"), undefined);
  assert.equal(numberAt(object, "spec.name", 1), 1);
  assert.equal(stringAt(object, "spec.name"), "a");
  assert.equal(stringAt(object, "spec.replicas", "none"), "none");
  assert.equal(booleanAt(object, "spec.paused"), true);
  assert.equal(booleanAt(object, "spec.name", true), true);
  assert.deepEqual(stringsAt(object, "spec.args"), ["x", "y"]);
  assert.deepEqual(listAt(object, "spec.list"), [{ a: 1 }]);
  assert.deepEqual(listAt(object, "spec.name"), []);
  assert.deepEqual(fieldsAt(object, "spec.args"), {});
  assert.deepEqual(mapAt(object, "spec.selector"), { app: "web" });
});

test("conditions that lack a type or a status do not count", () => {
  assert.deepEqual(
    conditionsOf(object).map(({ type }) => type),
    ["Ready", "Done"],
  );
  assert.equal(findCondition(object, "Done", "False")?.reason, "Busy");
  assert.equal(findCondition(object, "Done", "True"), undefined);
  assert.equal(findCondition({}, "Ready"), undefined);
});

test("a Kubernetes object names its kind and has metadata", () => {
  assert.ok(isKubeObject({ apiVersion: "v1", kind: "Pod", metadata: {} }));
  for (const other of [null, [], "x", {}, { apiVersion: "v1", kind: "Pod" }, { apiVersion: "v1", kind: 1, metadata: {} }])
    assert.ok(!isKubeObject(other));
});
