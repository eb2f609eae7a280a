import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReleaseEdge, ReleaseNode, Replay } from "../../../src/dashboard/api/index.ts";
import { nodesAt } from "./shown-states.ts";

const node = (id: string, role: ReleaseNode["role"] = "object"): ReleaseNode => ({
  type: "node",
  id,
  role,
  title: id,
  stage: "main",
  rank: 0,
  state: "failed",
  because: "as it is now",
  isFirstCause: true,
  waitsFor: { id: "x", because: "rank" },
});
const edges: readonly ReleaseEdge[] = [{ type: "edge", from: "a", to: "join", because: "", gate: "" }];
const replay: Replay = {
  revision: 1,
  startedAtMs: 0,
  lengthMs: 100,
  runs: [{ operation: "install", fromMs: 0, toMs: 100 }],
  steps: [{ node: "a", run: 0, fromMs: 10, toMs: 50, outcome: "finished", waits: [{ atMs: 20, because: "0 of 1" }] }],
};
const shown = (ms: number) =>
  nodesAt(replay, ms, [node("a"), node("join", "join"), node("b"), node("c", "removal")], edges).map(({ id, state, because, waitsFor }) =>
    [id, state, because, waitsFor?.id].filter((part) => part !== undefined).join(" "),
  );

test("nodes are as they were, and nothing is left of what they are now", () => {
  assert.deepEqual(shown(0), ["a waiting", "join waiting", "b ready", "c gone"]);
  assert.deepEqual(shown(30), ["a progressing 0 of 1", "join waiting", "b ready", "c gone"]);
  assert.deepEqual(shown(60), ["a ready", "join ready", "b ready", "c gone"]);
});
