import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReleaseChain, ReleaseNode } from "../../../src/dashboard/api/index.ts";
import { shownChain, waitChainOf } from "./wait-chain.ts";

const node = (id: string, next?: string): [string, ReleaseNode] => [
  id,
  {
    type: "node",
    id,
    role: "object",
    title: id,
    stage: "main",
    rank: 0,
    state: "waiting",
    ...(next === undefined ? {} : { waitsFor: { id: next, because: "rank" } }),
  },
];
const nodes = new Map([node("a", "b"), node("b", "c"), node("c"), node("x", "y"), node("y"), node("p", "q"), node("q", "p")]);
const chain = (cause: string, ...along: readonly string[]): ReleaseChain => ({
  type: "chain",
  cause,
  because: "",
  blocked: along.length - 1,
  nodes: along,
});
const chains = [chain("c", "a", "b", "c"), chain("y", "x", "y")];

test("a chain leads from what waits to its first cause, and ends where it would go round", () => {
  assert.deepEqual(waitChainOf("a", nodes), ["a", "b", "c"]);
  assert.deepEqual(waitChainOf("c", nodes), []);
  assert.deepEqual(waitChainOf("p", nodes), ["p", "q"]);
  assert.deepEqual(waitChainOf("none", nodes), []);
});

test("the selected object decides which chain is drawn, then the chosen cause, then the worst one", () => {
  const shown = (selected: string, cause: string) => shownChain(chains, nodes, { selected, cause }).join(" ");
  assert.equal(shown("", ""), "a b c");
  assert.equal(shown("", "y"), "x y");
  assert.equal(shown("b", "y"), "b c");
  assert.equal(shown("y", ""), "x y");
  assert.equal(shown("none", "none"), "a b c");
  assert.deepEqual(shownChain([], nodes, { selected: "", cause: "" }), []);
});
