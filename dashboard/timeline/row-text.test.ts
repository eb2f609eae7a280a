import assert from "node:assert/strict";
import { test } from "node:test";
import { rowText, tookMs } from "./row-text.ts";
import type { TimelineChartRow } from "./timeline-data.ts";

const row: TimelineChartRow = {
  id: "a",
  title: "job/migrate",
  state: "progressing",
  because: "0 of 1 completions",
  bars: [
    { phase: "apply", fromMs: 0, toMs: 200 },
    { phase: "wait", fromMs: 200, because: "\u001b[31m0 of 1" },
  ],
};

test("a row is heard with its state, its bars and what it waits for", () =>
  assert.equal(
    rowText(row, 12_200, true),
    "job/migrate: progressing (0 of 1 completions); applied 0.2 s from 0.0 s; waited so far 12 s from 0.2 s: ␛[31m0 of 1; on the critical path",
  ));

test("a row without bars has not begun", () => assert.match(rowText({ ...row, bars: [] }, 0, false), /; not begun$/));

test("a row takes until its end, or until now", () => {
  assert.equal(tookMs(row.bars, 5000), 5000);
  assert.equal(tookMs(row.bars.slice(0, 1), 5000), 200);
  assert.equal(tookMs([], 5000), undefined);
});
