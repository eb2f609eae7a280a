import assert from "node:assert/strict";
import { test } from "node:test";
import type { RehearsalReport } from "../release/rehearse/index.ts";
import { rehearsalLines } from "./index.ts";

const report: RehearsalReport = {
  release: { name: "app", namespace: "shop" },
  takenAt: "2030-01-01T00:00:00Z",
  kubernetes: "v1.35.8",
  status: "deployed",
  learnt: [],
  guessed: [],
  unseen: [],
  webhooks: [],
  unserved: [],
  differences: [],
};
const workloads = (count: number) => Array.from({ length: count }, (_, index) => `deployment/d${index + 1}`);

const rows: readonly [title: string, more: Partial<RehearsalReport>, line: string][] = [
  [
    "a few workloads are named",
    { guessed: workloads(2) },
    "durations by default, as nobody has seen them yet: deployment/d1, deployment/d2",
  ],
  [
    "one more is named, not counted",
    { guessed: workloads(13) },
    `durations by default, as nobody has seen them yet: ${workloads(13).join(", ")}`,
  ],
  [
    "many are counted",
    { guessed: workloads(200) },
    `durations by default, as nobody has seen them yet: ${workloads(12).join(", ")} and 188 more (-o json names all)`,
  ],
  [
    "a behaviour file comes first",
    { guessed: workloads(1), given: "slow.yaml" },
    "all other durations by default, as nobody has seen them yet: deployment/d1",
  ],
];

for (const [title, more, line] of rows)
  test(`what a rehearsal rests on: ${title}`, () => {
    assert.ok(rehearsalLines({ ...report, ...more }).includes(line), rehearsalLines({ ...report, ...more }).join("\n"));
  });
