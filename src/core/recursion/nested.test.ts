import assert from "node:assert/strict";
import { test } from "node:test";
import { callNested, runNested, type Nested } from "./index.ts";

type Tree = { readonly below: readonly Tree[] };

function* size({ below }: Tree): Nested<number> {
  let total = 1;
  for (const child of below) total += yield* callNested(size(child));
  return total;
}

test("a nested function goes deeper than the stack", () => {
  let tree: Tree = { below: [] };
  for (let level = 0; level < 20_000; level++) tree = { below: [tree, { below: [] }] };
  assert.equal(runNested(size(tree)), 40_001);
});

function* fails(levels: number): Nested<number> {
  if (levels === 0) throw new RangeError("no more");
  return 1 + (yield* callNested(fails(levels - 1)));
}

test("what a call throws ends the whole", () => {
  assert.throws(() => runNested(fails(3)), /no more/);
});
