import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReleaseEdge, ReleaseNode } from "../../../src/dashboard/api/index.ts";
import { inPlanOrder } from "./plan-order.ts";

const node = (id: string, stage = "main", rank = 0): ReleaseNode => ({
  type: "node",
  id,
  role: "object",
  title: id,
  stage,
  rank,
  state: "waiting",
});
const edge = (arrow: string): ReleaseEdge => {
  const [from = "", to = ""] = arrow.split(">");
  return { type: "edge", from, to, because: "", gate: "" };
};
const ordered = (nodes: readonly ReleaseNode[], ...arrows: readonly string[]) =>
  inPlanOrder(nodes, arrows.map(edge))
    .map(({ id }) => id)
    .join(" ");

test("stages come one after the other, then ranks, then what is needed", () => {
  assert.equal(ordered([node("post", "post"), node("b", "main", 5), node("a", "main", -5), node("crd", "crds")]), "crd a b post");
  assert.equal(ordered([node("c"), node("b"), node("a")], "a>b", "b>c"), "a b c");
  assert.equal(ordered([node("c"), node("b"), node("a")], "a>c"), "b a c");
});

test("what needs each other stays in the order of its arrival", () => {
  assert.equal(ordered([node("a"), node("b")], "a>b", "b>a"), "a b");
  assert.equal(ordered([node("a")], "x>a"), "a");
});
