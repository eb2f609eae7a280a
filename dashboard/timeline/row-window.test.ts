import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { rowHeight, rowWindow, scrollTopFor } from "./row-window.ts";

const pixels = fc.integer({ min: 0, max: 60_000 });
const heights = fc.integer({ min: rowHeight, max: 1200 });

test("every row that is seen is drawn, and few others", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2000 }), pixels, heights, (count, top, height) => {
      const { first, end } = rowWindow(count, top, height);
      assert.ok(first >= 0 && end <= count && first <= end);
      assert.ok(end - first <= height / rowHeight + 22);
      for (let at = 0; at < count; at++) {
        const isSeen = (at + 1) * rowHeight > top && at * rowHeight < top + height;
        if (isSeen) assert.ok(at >= first && at < end);
      }
    }),
  );
});

test("a row is seen whole after scrolling to it, and one that is seen already stays where it is", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2000 }), pixels, heights, (at, top, height) => {
      const next = scrollTopFor(at, top, height);
      assert.ok(at * rowHeight >= next && (at + 1) * rowHeight <= next + height);
      if (at * rowHeight >= top && (at + 1) * rowHeight <= top + height) assert.equal(next, top);
    }),
  );
});
