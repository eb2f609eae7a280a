import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { waves } from "../../core/graph/index.ts";
import type { Ordered } from "../order/index.ts";
import { hook, item, need, planned } from "../../../test/support/plan/plan-notation.ts";
import type { Step, DesiredManifest } from "./index.ts";

/** Ranked workloads with what they mount, some unranked, with hooks before and after. */
function large(count: number): Ordered<DesiredManifest>[] {
  return Array.from({ length: count }, (_, at) => {
    const rank = Math.floor(at / 1000);
    if (at % 500 === 0) return hook("Job", `hook-${at}`, { install: [at % 1000 === 0 ? "pre" : "post"] });
    if (at % 2 === 1) return item("ConfigMap", `c-${at}`, { rank });
    const mounts = need("ConfigMap", `c-${at - 1}`, { implied: true, gate: { until: "applied" } });
    const all = need("Job", "", { target: { kind: "Job" }, gate: { until: "completed" } });
    return item("Deployment", `d-${at}`, { rank, needs: at % 10 === 4 ? [mounts, all] : [mounts], unranked: at % 10 === 4 });
  }).toSorted((a, b) => a.constraints.rank - b.constraints.rank || (a.ref.kind < b.ref.kind ? -1 : 1));
}

/** Steps and edges per object. */
function density(count: number): { readonly steps: number; readonly edges: number } {
  const desired = large(count).filter(({ constraints }) => !constraints.hook || constraints.stages.install?.[0] === "pre");
  const { steps } = planned({ desired });
  const edges = steps.reduce((sum, { needs }) => sum + needs.length, 0);
  return { steps: steps.length / count, edges: edges / count };
}

test("a plan grows with its objects, and not faster", () => {
  const [small, large] = [density(2_000), density(8_000)];
  assert.ok(small.steps > 1 && small.steps < 3, `${small.steps} steps for each object`);
  assert.ok(small.edges < 8, `${small.edges} edges for each object`);
  assert.ok(large.steps < 1.05 * small.steps, `${large.steps} steps for each object, of fewer objects ${small.steps}`);
  assert.ok(large.edges < 1.05 * small.edges, `${large.edges} edges for each object, of fewer objects ${small.edges}`);
});

const member = fc.record({
  kind: fc.constantFrom("ConfigMap", "Service", "Deployment", "Job"),
  rank: fc.integer({ min: -2, max: 2 }),
  barrier: fc.boolean(),
  ready: fc.boolean(),
  implied: fc.array(fc.nat(9), { maxLength: 2 }),
});

test("a ranked object comes after every gate of the ranks before, whatever is implied", () => {
  fc.assert(
    fc.property(fc.array(member, { maxLength: 10 }), (made) => {
      const items = made.map(({ kind, rank, barrier, ready, implied }, at) => {
        const needs = implied.map((on) => need("", "", { target: { name: `o${on}` }, implied: true, gate: { until: "applied" } }));
        return item(kind, `o${at}`, { rank, barrier, gates: [{ until: ready ? "ready" : "applied" }], needs });
      });
      const { steps } = planned({ desired: items.toSorted((a, b) => a.constraints.rank - b.constraints.rank) });
      const before = reachable(steps);
      for (const a of items) {
        const gate = a.constraints.gates[0]!.until === "ready" ? "await" : "apply";
        for (const b of items) {
          if (a.constraints.rank >= b.constraints.rank) continue;
          const [from, to] = [stepOf(steps, "apply", b), stepOf(steps, gate, a)];
          assert.ok(before.get(from)!.has(to), `${from} must come after ${to}`);
        }
      }
      waves(new Map(steps.map(({ id, needs }) => [id, needs.map((each) => each.id)])));
    }),
  );
});

function stepOf(steps: readonly Step[], verb: string, { ref }: Ordered<DesiredManifest>): string {
  return steps.find(({ id, action }) => id.startsWith(`${verb}/`) && !id.includes("#") && "ref" in action && action.ref === ref)!.id;
}

/** The steps that each step comes after, by needs that pass a failure on. */
function reachable(steps: readonly Step[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { id, needs } of steps) {
    const hard = needs.filter(({ settled }) => settled !== true);
    found.set(id, new Set(hard.flatMap((each) => [each.id, ...found.get(each.id)!])));
  }
  return found;
}
