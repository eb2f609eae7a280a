import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import {
  sizeOfIntervals,
  firstMissing,
  hasIndex,
  intervalsText,
  mergeIntervals,
  overlap,
  parseIntervals,
  withIndexes,
} from "./index-intervals.ts";

const indexSets = fc.uniqueArray(fc.nat(60));

// After TestCalculateSucceededIndexes and TestParseIndexesFromString in pkg/controller/job/indexed_job_utils_test.go
for (const [text, fresh, completions, expected] of [
  ["", [], 5, ""],
  ["", [0, 2], 5, "0,2"],
  ["0-2,4", [3], 7, "0-4"],
  ["0-3,7-10", [4, 5, 9], 12, "0-5,7-10"],
  ["1,3,5", [0, 2, 4], 6, "0-5"],
  ["1-9", [], 5, "1-4"],
  ["2,10-20", [], 8, "2"],
  ["0,1", [], 8, "0,1"],
] as const) {
  test(`"${text}" and ${fresh.join() || "none"} of ${completions} is "${expected}"`, () => {
    assert.equal(intervalsText(withIndexes(parseIntervals(text, completions), fresh)), expected);
  });
}

test("what is written reads back as the same indexes", () => {
  fc.assert(
    fc.property(indexSets, (indexes) => {
      const intervals = withIndexes([], indexes);
      assert.deepEqual(parseIntervals(intervalsText(intervals), 61), intervals);
      assert.equal(sizeOfIntervals(intervals), indexes.length);
      for (let index = 0; index <= 60; index++) assert.equal(hasIndex(intervals, index), indexes.includes(index));
    }),
  );
});

test("merging and overlapping are those of sets", () => {
  fc.assert(
    fc.property(indexSets, indexSets, (a, b) => {
      const [x, y] = [withIndexes([], a), withIndexes([], b)];
      assert.deepEqual(mergeIntervals(x, y), withIndexes([], new Set([...a, ...b])));
      assert.equal(overlap(x, y), a.filter((index) => b.includes(index)).length);
    }),
  );
});

test("the first missing indexes are the lowest that are not there", () => {
  fc.assert(
    fc.property(indexSets, fc.nat(10), fc.nat(60), (taken, count, completions) => {
      const expected = Array.from({ length: completions }, (_, index) => index).filter((index) => !taken.includes(index));
      assert.deepEqual(firstMissing(withIndexes([], taken), count, completions), expected.slice(0, count));
    }),
  );
});
