import assert from "node:assert/strict";
import { test } from "node:test";
import { positionAfter } from "./grid-position.ts";

const extent = { lines: 101, columns: 51, page: 20 };
const cases: readonly (readonly [from: readonly [number, number], keys: string, to: readonly [number, number] | undefined])[] = [
  [[1, 0], "ArrowUp", [0, 0]],
  [[0, 0], "ArrowUp", [0, 0]],
  [[100, 3], "ArrowDown", [100, 3]],
  [[5, 50], "ArrowRight", [5, 50]],
  [[5, 49], "ArrowRight", [5, 50]],
  [[5, 1], "ArrowLeft", [5, 0]],
  [[5, 9], "Home", [5, 0]],
  [[5, 9], "End", [5, 50]],
  [[5, 9], "Control Home", [0, 0]],
  [[5, 9], "Control End", [100, 50]],
  [[5, 9], "PageDown", [25, 9]],
  [[95, 9], "PageDown", [100, 9]],
  [[5, 9], "PageUp", [0, 9]],
  [[5, 9], "a", undefined],
];

for (const [[line, column], keys, to] of cases)
  test(`${keys} at ${line}, ${column}`, () => {
    const key = keys.replace("Control ", "");
    const next = positionAfter({ line, column }, { key, ctrlKey: keys !== key, metaKey: false }, extent);
    assert.deepEqual(next, to === undefined ? undefined : { line: to[0], column: to[1] });
  });
