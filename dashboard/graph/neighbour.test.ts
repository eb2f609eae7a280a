import assert from "node:assert/strict";
import { test } from "node:test";
import { layout } from "./layout/layout.ts";
import { neighbourOf, type Direction } from "./neighbour.ts";

// a and b come before c; d comes after c; e stands alone in the last rank.
const nodes = [
  { id: "a", stage: 0, rank: 0 },
  { id: "b", stage: 0, rank: 0 },
  { id: "c", stage: 0, rank: 1 },
  { id: "d", stage: 0, rank: 2 },
  { id: "e", stage: 0, rank: 2 },
];
const edges = [
  { from: "a", to: "c" },
  { from: "b", to: "c" },
  { from: "c", to: "d" },
];
const placed = layout({ nodes, edges }).nodes;

const cases: readonly (readonly [string, Direction, string | undefined])[] = [
  ["a", "right", "c"],
  ["c", "left", "a"],
  ["c", "right", "d"],
  ["a", "down", "b"],
  ["b", "up", "a"],
  ["a", "up", undefined],
  ["a", "left", undefined],
  ["e", "left", "c"],
  ["gone", "right", "a"],
];

for (const [from, direction, to] of cases)
  test(`${direction} of ${from} is ${to ?? "nothing"}`, () => assert.equal(neighbourOf(from, direction, placed, edges), to));
