import assert from "node:assert/strict";
import { test } from "node:test";
import { readPreviewRequest } from "./read-action-request.ts";

const id = "0123456789abcdef";
const release = { namespace: "shop", name: "web" };

test("what is not asked for is left out", () => {
  const action = { type: "rollback", ...release, to: 3, force: true };
  assert.deepEqual(readPreviewRequest({ id, action }), { id, action: { type: "rollback", ...release, to: 3 } });
});

for (const [why, body] of [
  ["it has no id", { id: "short", action: { type: "redeploy", ...release } }],
  ["it has no id", null],
  ["it names no action", { id }],
  ["it names no action", { id, action: [] }],
  ['there is no action "delete"', { id, action: { type: "delete", ...release } }],
  ["it has no namespace", { id, action: { type: "redeploy", name: "web" } }],
  ["it has no name", { id, action: { type: "redeploy", namespace: "shop", name: { a: 1 } } }],
  ["to is not the number of a revision", { id, action: { type: "rollback", ...release, to: 1.5 } }],
  ["to is not the number of a revision", { id, action: { type: "rollback", ...release, to: "2" } }],
  ["kind is not SveltosCluster or Cluster", { id, action: { type: "redeploy-cluster", kind: "Pod", ...release } }],
  ["it has no text", { id, action: { type: "plan", file: "web.plan" } }],
] as const)
  test(`${JSON.stringify(body)} is refused: ${why}`, () => {
    assert.throws(
      () => readPreviewRequest(body),
      (error: Error) => error.message.includes(why),
    );
  });
