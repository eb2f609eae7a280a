import assert from "node:assert/strict";
import { test } from "node:test";
import type { LogFilter } from "../order/index.ts";
import { lineFilterOf } from "./log-filter.ts";

const all: LogFilter = { skip: false, skipContainers: [], onlyContainers: [], replicas: 1, keep: [], drop: [], events: false };
const lines = ["GET /", "error: disk", "error: net", "debug error"];

/** By werf's documentation of skip-logs, log-regex and the like. */
const cases: readonly (readonly [string, Partial<LogFilter>, readonly string[]])[] = [
  ["everything", {}, lines],
  ["nothing", { skip: true }, []],
  ["no line of this container", { skipContainers: ["c"] }, []],
  ["another container alone", { onlyContainers: ["d"] }, []],
  ["this container alone", { onlyContainers: ["c"] }, lines],
  ["left out before it is asked for", { skipContainers: ["c"], onlyContainers: ["c"] }, []],
  ["what matches", { keep: [{ pattern: "^error" }] }, ["error: disk", "error: net"]],
  ["what matches both", { keep: [{ pattern: "error" }, { container: "c", pattern: "disk$" }] }, ["error: disk"]],
  ["what matches in another container", { keep: [{ container: "d", pattern: "nothing" }] }, lines],
  ["what does not match", { drop: [{ pattern: "error" }] }, ["GET /"]],
  ["what is kept and not dropped", { keep: [{ pattern: "error" }], drop: [{ container: "c", pattern: "debug|net" }] }, ["error: disk"]],
];

for (const [what, filter, expected] of cases) {
  test(`shows ${what}`, () => {
    const isWanted = lineFilterOf({ ...all, ...filter }, "c");
    assert.deepEqual(isWanted === undefined ? [] : lines.filter(isWanted), expected);
  });
}
