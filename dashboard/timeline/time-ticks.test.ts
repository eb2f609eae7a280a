import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { roundedUp, timeTicks } from "./time-ticks.ts";

const texts = (lengthMs: number, maxCount: number) => timeTicks(lengthMs, maxCount).map(({ text }) => text);

test("marks are at times that people count in", () => {
  assert.deepEqual(texts(40_000, 6), ["0", "10 s", "20 s", "30 s", "40 s"]);
  assert.deepEqual(texts(40_000, 4), ["0", "15 s", "30 s"]);
  assert.deepEqual(texts(90_000, 8), ["0", "15 s", "30 s", "45 s", "1:00", "1:15", "1:30"]);
  assert.deepEqual(texts(500_000, 6), ["0", "2 min", "4 min", "6 min", "8 min"]);
  assert.deepEqual(texts(5_400_000, 5), ["0", "30 min", "1 h 00", "1 h 30"]);
  assert.deepEqual(texts(250, 6), ["0", "0.05 s", "0.10 s", "0.15 s", "0.20 s", "0.25 s"]);
  assert.deepEqual(texts(0, 6), ["0"]);
});

test("there are never more marks than asked for, and none after the end", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 5_000_000_000 }), fc.integer({ min: 1, max: 40 }), (lengthMs, maxCount) => {
      const ticks = timeTicks(lengthMs, maxCount);
      assert.ok(ticks.length >= 1 && ticks.length <= maxCount);
      assert.ok(ticks.every(({ ms }) => ms <= lengthMs));
    }),
  );
});

test("an axis is rounded up by at most a quarter, and not again at its end", () => {
  fc.assert(
    fc.property(fc.integer({ min: 4, max: 100_000_000 }), (lengthMs) => {
      const rounded = roundedUp(lengthMs);
      assert.ok(rounded >= lengthMs && rounded <= lengthMs * 1.25);
    }),
  );
});
