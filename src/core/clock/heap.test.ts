import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { Heap } from "./heap.ts";

test("what is pushed comes out smallest first, at any time", () => {
  const step = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.constant("pop" as const));
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const heap = new Heap<number>((a, b) => a - b);
      const model: number[] = [];
      for (const item of steps) {
        if (item === "pop") assert.equal(heap.pop(), model.shift());
        else {
          heap.push(item);
          model.push(item);
          model.sort((a, b) => a - b);
        }
        assert.equal(heap.peek(), model[0]);
        assert.equal(heap.size, model.length);
      }
      while (model.length > 0) assert.equal(heap.pop(), model.shift());
      assert.equal(heap.pop(), undefined);
    }),
  );
});
