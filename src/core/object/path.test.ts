import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { parsePath, pathText } from "./path.ts";

const cases: readonly [string, readonly (string | number)[]][] = [
  ["", []],
  ["spec", ["spec"]],
  ["spec.containers[0].name", ["spec", "containers", 0, "name"]],
  ['metadata.annotations["a/b"]', ["metadata", "annotations", "a/b"]],
  ['metadata.labels["a.b"].c', ["metadata", "labels", "a.b", "c"]],
  ["items[0][1]", ["items", 0, 1]],
];

for (const [text, path] of cases) {
  test(`${text} is ${JSON.stringify(path)}`, () => {
    assert.deepEqual(parsePath(text), path);
    assert.equal(pathText(path), text);
  });
}

test("any path reads back as itself", () => {
  fc.assert(fc.property(fc.array(fc.oneof(fc.string(), fc.nat())), (path) => assert.deepEqual(parsePath(pathText(path)), path)));
});
