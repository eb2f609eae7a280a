import assert from "node:assert/strict";
import { test } from "node:test";
import type { NodeState, ReleaseEdge, ReleaseNode } from "../../../src/dashboard/api/index.ts";
import { withWaits } from "./with-waits.ts";

const node = (text: string): ReleaseNode => {
  const [id = "", state = ""] = text.split(":");
  return {
    type: "node",
    id,
    role: id.startsWith("join") ? "join" : "object",
    title: id,
    stage: "main",
    rank: 0,
    state: state as NodeState,
    because: `${id} is ${state}`,
  };
};
const edge = (arrow: string): ReleaseEdge => {
  const [from = "", to = ""] = arrow.split(">");
  return { type: "edge", from, to, because: "rank", gate: "ready" };
};
const told = (nodes: string, arrows: string) => {
  const found = withWaits(nodes.split(" ").map(node), arrows.split(" ").map(edge));
  return found.chains.map(({ cause, blocked, because, nodes: along }) => `${cause} holds up ${blocked} (${because}): ${along.join(" ")}`);
};

test("what has not begun waits for what has failed before it", () => {
  assert.deepEqual(told("a:ready b:failed c:skipped d:skipped", "a>b b>c c>d"), ["b holds up 2 (b is failed): d c b"]);
  assert.deepEqual(told("a:ready b:ready", "a>b"), []);
});

test("a failed object counts more than a slow one, and a longer way more than a short one", () => {
  assert.deepEqual(told("a:progressing b:failed c:waiting", "a>c b>c"), ["b holds up 1 (b is failed): c b"]);
  assert.deepEqual(told("a:progressing b:waiting c:waiting", "a>b a>c b>c"), ["a holds up 2 (a is progressing): c b a"]);
});

test("joins are passed through and are not counted", () => {
  assert.deepEqual(told("a:failed join:waiting b:skipped c:skipped", "a>join join>b join>c"), ["a holds up 2 (a is failed): b join a"]);
});

test("each node says what it waits for next, and the cause that it is one", () => {
  const { nodes } = withWaits(["a:failed", "b:skipped"].map(node), [edge("a>b")]);
  assert.deepEqual([nodes[0]?.isFirstCause, nodes[1]?.waitsFor], [true, { id: "a", because: "rank" }]);
});
