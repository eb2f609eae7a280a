import assert from "node:assert/strict";
import { test } from "node:test";
import { StatusError } from "../../status-error.ts";
import { scaledCount } from "./scaled-count.ts";
import { slowStartBatch } from "./slow-start-batch.ts";

// Rows of TestSlowStartBatch in pkg/controller/replicaset/replica_set_test.go: how many attempts until which limit.
const rows = [
  { title: "all succeed", count: 10, refuseFrom: 10, attempts: 10, successes: 10, refused: false },
  { title: "the third batch is refused", count: 10, refuseFrom: 5, attempts: 7, successes: 5, refused: true },
  { title: "nothing to do", count: 0, refuseFrom: 5, attempts: 0, successes: 0, refused: false },
  { title: "the first is refused", count: 10, refuseFrom: 0, attempts: 1, successes: 0, refused: true },
];

for (const { title, count, refuseFrom, attempts, successes, refused } of rows) {
  test(`slow start: ${title}`, () => {
    const places: number[] = [];
    const outcome = slowStartBatch(count, (place) => {
      places.push(place);
      if (place >= refuseFrom) throw new StatusError(403, "Forbidden", `place ${place}`);
    });
    assert.deepEqual(
      places,
      Array.from({ length: attempts }, (_, place) => place),
    );
    assert.equal(outcome.successes, successes);
    assert.equal(outcome.statusError?.message, refused ? `place ${refuseFrom}` : undefined);
  });
}

test("an error that is no StatusError is thrown", () => {
  assert.throws(
    () =>
      slowStartBatch(1, () => {
        throw new TypeError("our own mistake");
      }),
    TypeError,
  );
});

for (const [value, total, up, down] of [
  [3, 10, 3, 3],
  ["25%", 10, 3, 2],
  ["39%", 10, 4, 3],
  ["0%", 10, 0, 0],
  ["100%", 7, 7, 7],
  ["1%", 1, 1, 0],
  ["oops", 10, 0, 0],
  [undefined, 10, 0, 0],
] as const) {
  test(`${value} of ${total} is ${up}, or ${down} rounded down`, () => {
    assert.equal(scaledCount(value, total, "up"), up);
    assert.equal(scaledCount(value, total, "down"), down);
  });
}
