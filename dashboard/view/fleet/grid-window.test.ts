import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { revealed, windowOf } from "./grid-window.ts";

const sizes = { row: 26, column: 28, head: 120, side: 200 };
const length = fc.integer({ min: 0, max: 30_000 });
const view = fc.record({
  left: length,
  top: length,
  width: fc.integer({ min: 300, max: 2000 }),
  height: fc.integer({ min: 200, max: 2000 }),
});

test("whatever is on the screen is drawn, and not much more", () => {
  fc.assert(
    fc.property(view, (shown) => {
      const { fromLine, toLine, fromColumn, toColumn } = windowOf(shown, sizes);
      assert.ok(fromLine * sizes.row <= shown.top && toLine * sizes.row >= shown.top + shown.height - sizes.head);
      assert.ok(fromColumn * sizes.column <= shown.left && toColumn * sizes.column >= shown.left + shown.width - sizes.side);
      assert.ok(toLine - fromLine <= (shown.height - sizes.head) / sizes.row + 26);
      assert.ok(toColumn - fromColumn <= (shown.width - sizes.side) / sizes.column + 18);
    }),
  );
});

test("a cell that the focus goes to is on the screen whole, and nothing scrolls for one that is", () => {
  fc.assert(
    fc.property(view, fc.nat(1000), fc.nat(500), (shown, line, column) => {
      const { left, top } = revealed(shown, sizes, line, column);
      assert.ok(top <= line * sizes.row && (line + 1) * sizes.row <= top + shown.height - sizes.head);
      assert.ok(left <= column * sizes.column && (column + 1) * sizes.column <= left + shown.width - sizes.side);
      assert.deepEqual(revealed({ ...shown, left, top }, sizes, line, column), { left, top });
    }),
  );
});
