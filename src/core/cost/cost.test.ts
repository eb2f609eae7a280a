import assert from "node:assert/strict";
import test from "node:test";
import { charge, chargeTime, LimitError, withinCost } from "./index.ts";

test("what only takes time is charged, unless the clock alone limits it", () => {
  assert.throws(() => withinCost({ cost: 2 ** 21 }, () => chargeTime(2 ** 22)), LimitError);
  withinCost({ cost: 2 ** 21, chargesTime: false }, () => chargeTime(2 ** 22));
  assert.throws(() => withinCost({ cost: 2 ** 21, chargesTime: false }, () => charge(2 ** 22)), LimitError);
});

test("the clock is looked at before everything that takes long", () => {
  const asked: string[] = [];
  const outOfTime = () => asked.push("clock") > 1;
  assert.throws(
    () =>
      withinCost({ chargesTime: false, outOfTime }, () => {
        chargeTime(1);
        asked.push("worked");
        chargeTime(1);
      }),
    /takes longer than allowed/,
  );
  assert.deepEqual(asked, ["clock", "worked", "clock"]);
});
