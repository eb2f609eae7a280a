import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { crossingsOf } from "./count-crossings.ts";
import { layout } from "./layout.ts";
import { sizes, type Layout, type LayoutGraph } from "./layout-graph.ts";
import { placeLayer } from "./place-layer.ts";

const graphs: fc.Arbitrary<LayoutGraph> = fc.integer({ min: 1, max: 40 }).chain((count) =>
  fc.record({
    nodes: fc
      .array(fc.record({ stage: fc.integer({ min: 0, max: 2 }), rank: fc.integer({ min: -1, max: 2 }) }), {
        minLength: count,
        maxLength: count,
      })
      .map((places) => places.map((place, at) => ({ id: `n${at}`, ...place }))),
    edges: fc.array(
      fc.record({ from: fc.integer({ min: 0, max: count - 1 }), to: fc.integer({ min: 0, max: count - 1 }) }).map(({ from, to }) => ({
        from: `n${from}`,
        to: `n${to}`,
      })),
      { maxLength: 120 },
    ),
  }),
);

const number = (id: string) => Number(id.slice(1));

/** Edges lead from lower to higher numbers and ranks, as those of plans do. */
const plans = graphs.map(({ nodes, edges }) => {
  const sorted = nodes
    .toSorted((a, b) => a.stage - b.stage || a.rank - b.rank)
    .map(({ stage, rank }, at) => ({ id: `n${at}`, stage, rank }));
  const forward = edges
    .filter(({ from, to }) => from !== to)
    .map(({ from, to }) => (number(from) < number(to) ? { from, to } : { from: to, to: from }));
  return { nodes: sorted, edges: forward };
});

function boxesOf({ nodes }: Layout) {
  return nodes.map(({ id, x, y }) => ({ id, x, y, ...sizes.node }));
}

function overlap(a: { x: number; y: number; width: number; height: number }, b: typeof a): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

test("every node is placed once, inside the picture, and none overlaps another", () => {
  fc.assert(
    fc.property(graphs, (graph) => {
      const placed = layout(graph);
      const boxes = boxesOf(placed);
      assert.deepEqual(boxes.map(({ id }) => id).toSorted(), graph.nodes.map(({ id }) => id).toSorted());
      for (const box of [...boxes, ...placed.units]) {
        assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= placed.width && box.y + box.height <= placed.height);
      }
      for (const [at, box] of boxes.entries()) for (const other of boxes.slice(at + 1)) assert.ok(!overlap(box, other));
      for (const [at, unit] of placed.units.entries()) for (const other of placed.units.slice(at + 1)) assert.ok(!overlap(unit, other));
    }),
  );
});

test("stages and ranks follow each other from left to right", () => {
  fc.assert(
    fc.property(graphs, (graph) => {
      const xOf = new Map(boxesOf(layout(graph)).map(({ id, x }) => [id, x]));
      for (const a of graph.nodes)
        for (const b of graph.nodes) {
          const isBefore = a.stage < b.stage || (a.stage === b.stage && a.rank < b.rank);
          if (isBefore) assert.ok(xOf.get(a.id)! + sizes.node.width < xOf.get(b.id)!, `${a.id} is not left of ${b.id}`);
        }
    }),
  );
});

test("what comes after another is to its right", () => {
  fc.assert(
    fc.property(plans, (plan) => {
      const xOf = new Map(boxesOf(layout(plan)).map(({ id, x }) => [id, x]));
      for (const { from, to } of plan.edges) assert.ok(xOf.get(from)! < xOf.get(to)!);
    }),
  );
});

test("every edge has a way along lines, which begin and end at its nodes", () => {
  fc.assert(
    fc.property(plans, (plan) => {
      const { nodes, units, lines } = layout(plan);
      const unitOf = new Map(nodes.map(({ id, unit }) => [id, unit]));
      for (const { from, to, points } of lines) {
        assert.deepEqual(points.slice(0, 2), [units[from]!.x + units[from]!.width, units[from]!.y + units[from]!.height / 2]);
        assert.deepEqual(points.slice(-2), [units[to]!.x, units[to]!.y + units[to]!.height / 2]);
        for (let at = 2; at < points.length; at += 2) assert.ok(points[at]! >= points[at - 2]!, "a line turns back");
      }
      const next = Map.groupBy(lines, ({ from }) => from);
      for (const { from, to } of plan.edges) {
        const ends = (next.get(unitOf.get(from)!) ?? []).flatMap((line) =>
          units[line.to]!.type === "join" ? (next.get(line.to) ?? []).map((each) => each.to) : [line.to],
        );
        assert.ok(ends.includes(unitOf.get(to)!), `${from} → ${to} has no line`);
      }
    }),
  );
});

test("no line stands for an edge that is not there", () => {
  fc.assert(
    fc.property(plans, (plan) => {
      const { nodes, units, lines } = layout(plan);
      const edges = new Set(plan.edges.map(({ from, to }) => `${from} ${to}`));
      const members = Map.groupBy(nodes, ({ unit }) => unit);
      const next = Map.groupBy(lines, ({ from }) => from);
      for (const line of lines) {
        if (units[line.from]!.type === "join") continue;
        const ends = units[line.to]!.type === "join" ? next.get(line.to)!.map(({ to }) => to) : [line.to];
        for (const end of ends)
          for (const from of members.get(line.from)!)
            for (const to of members.get(end)!) assert.ok(edges.has(`${from.id} ${to.id}`), `${from.id} → ${to.id} is drawn`);
      }
    }),
  );
});

test("the same graph gives the same layout", () => {
  fc.assert(fc.property(graphs, (graph) => assert.deepEqual(layout(graph), layout(structuredClone(graph)))));
});

test("with one node more, the others of a layer stay in their order", () => {
  fc.assert(
    fc.property(plans, fc.nat(), (plan, seed) => {
      const first = layout(plan);
      const before = new Map(first.nodes.map((node) => [node.id, node]));
      const previous = Object.fromEntries(first.nodes.map(({ id, y }) => [id, y + sizes.node.height / 2]));
      const added = { id: "added", stage: 1, rank: 0 };
      const neighbour = plan.nodes[seed % plan.nodes.length]!;
      const edges = neighbour.stage < 1 ? [...plan.edges, { from: neighbour.id, to: "added" }] : plan.edges;
      const second = layout({ nodes: [...plan.nodes, added], edges, previous });
      const alone = second.nodes.filter(({ id, unit }) => id !== "added" && second.units[unit]!.type === "node");
      for (const a of alone)
        for (const b of alone) {
          const [first, other] = [before.get(a.id)!, before.get(b.id)!];
          if (a.x === b.x && first.x === other.x && first.y < other.y) assert.ok(a.y < b.y, `${a.id} and ${b.id} have changed places`);
        }
    }),
  );
});

const rank = (number: number) => Array.from({ length: 200 }, (_, at) => ({ id: `${number}-${at}`, stage: 0, rank: number }));

test("200 nodes that all come after 200 others are two blocks with one line", () => {
  const nodes = [...rank(0), ...rank(1)];
  const edges = rank(0).flatMap(({ id: from }) => rank(1).map(({ id: to }) => ({ from, to })));
  const { units, lines } = layout({ nodes, edges });
  assert.deepEqual([units.map(({ type }) => type), lines.length], [["block", "block"], 1]);
});

test("ranks whose nodes differ otherwise meet in a join", () => {
  const first = Array.from({ length: 20 }, (_, at) => ({ id: `a${at}`, stage: 0, rank: 0 }));
  const second = Array.from({ length: 20 }, (_, at) => ({ id: `b${at}`, stage: 0, rank: 1 }));
  const third = Array.from({ length: 20 }, (_, at) => ({ id: `c${at}`, stage: 0, rank: 2 }));
  const all = second.flatMap(({ id: from }) => third.map(({ id: to }) => ({ from, to })));
  const each = first.map(({ id }, at) => ({ from: id, to: `b${at}` }));
  const { units, lines } = layout({ nodes: [...first, ...second, ...third], edges: [...all, ...each] });
  assert.equal(units.filter(({ type }) => type === "node").length, 40);
  assert.equal(lines.length, 20 + 20 + 1);
});

test("parallel chains do not cross", () => {
  const chains = Array.from({ length: 9 }, (_, chain) => chain);
  // The order of the nodes is another one in each rank.
  const nodes = [0, 1, 2].flatMap((rank) =>
    chains.map((chain) => ({ id: `${(chain * (rank * 3 + 1) + rank) % 9}-${rank}`, stage: 0, rank })),
  );
  const all = [...new Map(nodes.map((node) => [node.id, node])).values()];
  const edges = chains.flatMap((chain) => [0, 1].map((rank) => ({ from: `${chain}-${rank}`, to: `${chain}-${rank + 1}` })));
  const { nodes: placed } = layout({ nodes: all, edges });
  const heights = [0, 1, 2].map((rank) => chains.map((chain) => placed.find(({ id }) => id === `${chain}-${rank}`)?.y));
  assert.deepEqual(heights[1], heights[0]);
});

test("a cycle is drawn, and ends", () => {
  const nodes = ["a", "b", "c"].map((id) => ({ id, stage: 0, rank: 0 }));
  const { lines } = layout({
    nodes,
    edges: [
      ["a", "b"],
      ["b", "c"],
      ["c", "a"],
    ].map(([from = "", to = ""]) => ({ from, to })),
  });
  assert.equal(lines.length, 3);
});

test("an empty graph has no size", () => {
  assert.deepEqual(layout({ nodes: [], edges: [] }), { width: 0, height: 0, nodes: [], units: [], lines: [], ranks: [] });
});

test("crossings are pairs of segments that cross", () => {
  const segments = fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 })), { maxLength: 20 });
  fc.assert(
    fc.property(segments, (pairs) => {
      const after = Array.from({ length: 12 }, (_, at) => pairs.filter(([from]) => from === at).map(([, to]) => to + 6));
      const order = [
        [0, 1, 2, 3, 4, 5],
        [6, 7, 8, 9, 10, 11],
      ];
      const position = [0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5];
      const expected = pairs.flatMap(([a, b], at) => pairs.slice(at + 1).filter(([c, d]) => (a - c) * (b - d) < 0)).length;
      assert.equal(crossingsOf({ after }, order, position), expected);
    }),
  );
});

test("wishes that are in each other's way are met by their mean", () => {
  const wishes = [0, 0, 0, 100].map((centre) => ({ centre, weight: 1, distance: 10 }));
  assert.deepEqual(placeLayer(wishes), [-10, 0, 10, 100]);
});
