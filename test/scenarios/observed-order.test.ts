import assert from "node:assert/strict";
import { test } from "node:test";
import { matchingChanges, objectionToOrder } from "./observed-order.ts";

const seen = ["job/a created", "job/b created", "job/a ready", "job/a gone", "job/a created"];

const orders: Readonly<Record<string, string | undefined>> = {
  "job/a created < job/b created < job/a ready": undefined,
  "job/a created, job/b created < job/a ready": undefined,
  "job/a gone < job/a created#2": undefined,
  "job/a ready < job/b created": "job/b created came before job/a ready",
  "job/a ready, job/a created < job/b created": "job/b created came before job/a ready",
  "job/a created < job/c created": "job/c created was not seen",
  "job/b created < job/b created#2": "job/b created#2 was not seen",
};

for (const [order, objection] of Object.entries(orders)) {
  test(`${order}: ${objection ?? "holds"}`, () => assert.equal(objectionToOrder(order, seen), objection));
}

test("patterns find what fits them whole", () => {
  assert.deepEqual(matchingChanges("job/* ready", seen), ["job/a ready"]);
  assert.deepEqual(matchingChanges("ob/a gone", seen), []);
});
