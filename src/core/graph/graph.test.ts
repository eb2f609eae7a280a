import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { criticalPath, dependantsOf, needsOf, someCycle, topologicalOrder, waves, type Needs } from "./index.ts";

// "b<a" reads "b needs a"; " | " parts the waves.
const inWaves: Record<string, string> = {
  "": "",
  "a b": "a b",
  "b<a": "a | b",
  "b<a b<a": "a | b",
  "b<a c<a d<b d<c": "a | b c | d",
  "c<b b<a x": "a x | b | c",
  "z<a y<a x<a": "a | z y x",
  "d<a d<c c<b": "a b | c | d",
};

for (const [graph, expected] of Object.entries(inWaves)) {
  test(`${graph} runs as ${expected}`, () => {
    assert.equal(
      waves(parse(graph))
        .map((wave) => wave.join(" "))
        .join(" | "),
      expected,
    );
  });
}

test("what is only needed counts too, after the others", () => {
  assert.deepEqual(
    waves(
      new Map([
        ["b", ["ghost"]],
        ["x", []],
      ]),
    ),
    [["x", "ghost"], ["b"]],
  );
});

const inOrder: Record<string, string> = {
  "a b c": "a b c",
  "c b a": "c b a",
  "a<c b c": "c a b",
  "b<a c<a d<b d<c": "a b c d",
  "z y<x x": "z x y",
  "d<c c<b b<a": "a b c d",
};

for (const [graph, expected] of Object.entries(inOrder)) {
  test(`${graph} is ordered as ${expected}`, () => assert.equal(topologicalOrder(parse(graph)).join(" "), expected));
}

const cycles: Record<string, string> = {
  "a<a": "a -> a",
  "a<b b<a": "a -> b -> a",
  "a<b b<c c<b": "b -> c -> b",
  "x a<b b<c c<d d<b e<a": "b -> c -> d -> b",
};

for (const [graph, cycle] of Object.entries(cycles)) {
  test(`${graph} has the cycle ${cycle}, without what merely leads to it`, () => {
    assert.equal(someCycle(parse(graph))?.join(" -> "), cycle);
    const error = { name: "CycleError", message: `dependency cycle: ${cycle}`, cycle: cycle.split(" -> ") };
    assert.throws(() => waves(parse(graph)), error);
    assert.throws(() => topologicalOrder(parse(graph)), error);
    assert.throws(() => criticalPath(parse(graph), () => 1), error);
  });
}

test("a graph without a cycle has none", () => assert.equal(someCycle(parse("b<a c<a d<b d<c")), undefined));

test("what is needed, and what depends, is found through others", () => {
  const graph = parse("b<a c<b d<c e<a x");
  assert.equal([...needsOf(graph, ["c"])].join(" "), "b a");
  assert.equal([...dependantsOf(graph, ["b"])].join(" "), "c d");
  assert.equal([...dependantsOf(graph, ["b", "e"])].join(" "), "c d");
  assert.equal([...needsOf(graph, ["x", "nowhere"])].join(" "), "");
  assert.equal([...needsOf(parse("a<b b<a"), ["a"])].sort().join(" "), "a b");
});

test("the critical path is the chain that takes longest", () => {
  const costs: Record<string, number> = { a: 1, b: 5, c: 1, d: 1, x: 4 };
  const longest = (graph: string) => {
    const { path, cost } = criticalPath(parse(graph), (id) => costs[id] ?? 0);
    return `${path.join(" ")} = ${cost}`;
  };
  assert.equal(longest("b<a c<a d<b d<c x"), "a b d = 7");
  assert.equal(longest("x"), "x = 4");
  assert.equal(longest(""), " = 0");
  assert.equal(longest("c<a d<a"), "a c = 2");
});

/** Small graphs with any edges, including cycles. */
const anyGraph = fc
  .array(fc.tuple(fc.nat(7), fc.nat(7)), { maxLength: 12 })
  .map((edges) => edges.map(([id, on]) => `n${id}<n${on}`).join(" "));

test("waves and order agree with the needs, or a real cycle is named", () => {
  fc.assert(
    fc.property(anyGraph, (text) => {
      const graph = parse(text);
      const cycle = someCycle(graph);
      if (cycle !== undefined) return assertCycle(graph, cycle);
      const order = topologicalOrder(graph);
      const wave = new Map(waves(graph).flatMap((ids, at) => ids.map((id) => [id, at] as const)));
      for (const [id, on] of graph) {
        for (const need of on) assert.ok(order.indexOf(need) < order.indexOf(id) && wave.get(need)! < wave.get(id)!);
        assert.equal(wave.get(id), Math.max(-1, ...[...on].map((need) => wave.get(need)!)) + 1, "no id waits longer than it must");
      }
      assert.equal(new Set(order).size, wave.size);
    }),
  );
});

test("a chain of a hundred thousand overflows no stack and takes no quadratic time", () => {
  const chain = new Map<number, number[]>();
  for (let id = 100_000; id > 0; id--) chain.set(id, [id - 1]);
  assert.equal(waves(chain).length, 100_001);
  assert.equal(topologicalOrder(chain)[0], 0);
  assert.equal(needsOf(chain, [100_000]).size, 100_000);
  assert.equal(criticalPath(chain, () => 1).cost, 100_001);
  assert.equal(someCycle(chain.set(0, [100_000]))?.length, 100_002);
});

function assertCycle(graph: Needs<string>, cycle: readonly string[]): void {
  assert.equal(cycle[0], cycle.at(-1));
  assert.equal(new Set(cycle).size, cycle.length - 1, "an id is named once, but for the end");
  for (const [at, id] of cycle.slice(0, -1).entries()) assert.ok([...graph.get(id)!].includes(cycle[at + 1]!));
}

function parse(text: string): Needs<string> {
  const graph = new Map<string, string[]>();
  for (const term of text.split(" ").filter(Boolean)) {
    const [id = "", need] = term.split("<");
    graph.set(id, [...(graph.get(id) ?? []), ...(need === undefined ? [] : [need])]);
    if (need !== undefined && !graph.has(need)) graph.set(need, []);
  }
  return graph;
}
