import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReleaseNode, ReleaseTimeline } from "../../../src/dashboard/api/index.ts";
import { criticalNodes, graphNodeOf, nodesByObject } from "./graph-content.ts";

const ref = (name: string, namespace = "shop") => ({ group: "", version: "v1", kind: "ConfigMap", namespace, name });
const node = (id: string, more: Partial<ReleaseNode> = {}): ReleaseNode => ({
  type: "node",
  id,
  role: "object",
  ref: ref(id),
  title: `configmap/${id}`,
  stage: "main",
  rank: 0,
  state: "ready",
  ...more,
});

test("a node is drawn with its name, its kind and what is special about it", () => {
  const { title, subtitle, badges } = graphNodeOf(node("a", { hook: true, change: "created" }), "shop");
  assert.deepEqual([title, subtitle, badges], ["a", "ConfigMap", ["hook", "created"]]);
  assert.equal(graphNodeOf(node("a", { ref: ref("a", "other") }), "shop").subtitle, "ConfigMap in other");
  const { ref: _ref, ...join } = node("all", { role: "join", title: "rank 5" });
  assert.deepEqual([graphNodeOf(join, "shop").title, graphNodeOf(join, "shop").subtitle], ["rank 5", "all before it"]);
});

test("the critical path names each node once in a row, and deletions by the removal", () => {
  const byObject = nodesByObject([node("gone", { role: "removal", ref: ref("a") }), node("a"), node("b")]);
  const link = (name: string, phase: string) => ({ ref: ref(name), phase, fromMs: 0, toMs: 1 });
  const path = [link("a", "delete"), link("a", "apply"), link("a", "wait"), link("b", "apply"), link("unknown", "apply")];
  assert.deepEqual(criticalNodes({ criticalPath: path } as unknown as ReleaseTimeline, byObject), ["gone", "a", "b"]);
  assert.deepEqual(criticalNodes(undefined, byObject), []);
});
