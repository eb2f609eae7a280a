import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReleaseNode, ReleaseTimelineRow } from "../../../src/dashboard/api/index.ts";
import { timelineRowsOf } from "./timeline-rows.ts";

const ref = (name: string) => ({ group: "", version: "v1", kind: "ConfigMap", namespace: "shop", name });
const node = (name: string, more: Partial<ReleaseNode> = {}): ReleaseNode => ({
  type: "node",
  id: `main/${name}`,
  role: "object",
  ref: ref(name),
  title: `configmap/${name}`,
  stage: "main",
  rank: 0,
  state: "ready",
  ...more,
});
const row = (name: string, more: Partial<ReleaseTimelineRow> = {}): ReleaseTimelineRow => ({
  type: "row",
  ref: ref(name),
  title: name,
  outcome: "finished",
  fromMs: 0,
  toMs: 900,
  spans: [
    { phase: "apply", fromMs: 0, toMs: 100 },
    { phase: "wait", fromMs: 100, toMs: 900 },
  ],
  ...more,
});
const bars = (nodes: readonly ReleaseNode[], rows: readonly ReleaseTimelineRow[], options: Parameters<typeof timelineRowsOf>[2]) =>
  timelineRowsOf(nodes, rows, options).map(({ id, bars: all }) =>
    [
      id,
      ...all.map(({ phase, fromMs, toMs, because }) => `${phase} ${fromMs}-${toMs ?? ""}${because === undefined ? "" : ` ${because}`}`),
    ].join(", "),
  );

test("every object has a row, whether it has begun or not; a join has none", () => {
  const { ref: _ref, ...join } = node("all", { role: "join" });
  assert.deepEqual(bars([node("a"), node("b"), join], [row("a")], { isRunning: false }), ["main/a, apply 0-100, wait 100-900", "main/b"]);
});

test("a wait is a bar for each of its reasons", () => {
  const waits = [
    { atMs: 120, because: "0 of 2" },
    { atMs: 500, because: "1 of 2" },
  ];
  assert.deepEqual(bars([node("a")], [row("a", { waits })], { isRunning: false }), [
    "main/a, apply 0-100, wait 100-500 0 of 2, wait 500-900 1 of 2",
  ]);
});

test("what a run still waits for goes on, unless the object is known to be ready", () => {
  const open = row("a", { outcome: "interrupted" });
  assert.deepEqual(bars([node("a", { state: "progressing" })], [open], { isRunning: true }), ["main/a, apply 0-100, wait 100-"]);
  assert.deepEqual(bars([node("a")], [open], { isRunning: true }), ["main/a, apply 0-100, wait 100-900"]);
  assert.deepEqual(bars([node("a", { state: "progressing" })], [open], { isRunning: false }), ["main/a, apply 0-100, wait 100-900"]);
});

test("a replay shows what had begun by then", () => {
  assert.deepEqual(bars([node("a")], [row("a")], { isRunning: false, untilMs: 50 }), ["main/a, apply 0-"]);
  assert.deepEqual(bars([node("a")], [row("a")], { isRunning: false, untilMs: 500 }), ["main/a, apply 0-100, wait 100-"]);
  assert.deepEqual(bars([node("a")], [row("a")], { isRunning: false, untilMs: 900 }), ["main/a, apply 0-100, wait 100-900"]);
});

test("an object that is replaced has its deletion in the row of its removal", () => {
  const spans = [
    { phase: "delete", fromMs: 0, toMs: 50 },
    { phase: "apply", fromMs: 50, toMs: 100 },
  ] as const;
  const removal = node("a", { id: "gone/a", role: "removal", state: "gone" });
  assert.deepEqual(bars([node("a"), removal], [row("a", { spans })], { isRunning: false }), [
    "main/a, apply 50-100",
    "gone/a, delete 0-50",
  ]);
  assert.deepEqual(bars([node("a")], [row("a", { spans })], { isRunning: false }), ["main/a, delete 0-50, apply 50-100"]);
});
