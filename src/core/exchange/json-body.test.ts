import assert from "node:assert/strict";
import { test } from "node:test";
import { jsonBody, jsonItemsOf, jsonValueOf } from "./index.ts";

test("a body of a value has its text too, written once and only when it is read", async () => {
  let written = 0;
  const value = { kind: "ConfigMap" };
  const body = jsonBody(value, () => {
    written++;
    return JSON.stringify(value);
  });
  assert.equal(jsonValueOf(body), value);
  assert.equal(written, 0);
  assert.deepEqual([...body], ['{"kind":"ConfigMap"}']);
  assert.deepEqual(
    body.map((chunk) => chunk.length),
    [20],
  );
  for await (const chunk of body) assert.equal(chunk, '{"kind":"ConfigMap"}');
  assert.equal(written, 1);
});

test("text has no value", () => {
  assert.equal(jsonValueOf(['{"kind":"ConfigMap"}']), undefined);
  assert.equal(jsonItemsOf(['{"kind":"ConfigMap"}']), undefined);
});
