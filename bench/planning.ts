import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runNode } from "./process.ts";
import { reportNote, reportAtMost } from "./report.ts";

/** The cost of one plan in its own process. */
export type PlanningCost = { readonly cpuMs: number; readonly orderMs: number; readonly steps: number; readonly edges: number };

/** Orders and plans a release of 20,000 loaded manifests, and of twice as many. */
export async function benchPlanning(): Promise<void> {
  const rounds = 3;
  const costs = { once: [] as PlanningCost[], twice: [] as PlanningCost[] };
  for (let round = 0; round < rounds; round++) {
    costs.once.push(await planned(20_000));
    costs.twice.push(await planned(40_000));
  }
  const once = best(costs.once);
  const twice = best(costs.twice);
  reportAtMost("order and plan of 20,000 objects: CPU", once.cpuMs / 1000, 2, " s");
  reportAtMost("40,000 against 20,000 objects: CPU", twice.cpuMs / once.cpuMs, 2.2, "x");
  for (const { cpuMs, orderMs, steps, edges } of [once, twice])
    reportNote(`${steps} steps, ${edges} edges`, `order ${seconds(orderMs)} s, plan ${seconds(cpuMs - orderMs)} s`);
}

async function planned(objects: number): Promise<PlanningCost> {
  return JSON.parse(await runNode([join(import.meta.dirname, "planning-process.ts"), String(objects)])) as PlanningCost;
}

function best(costs: readonly PlanningCost[]): PlanningCost {
  return costs.toSorted((a, b) => a.cpuMs - b.cpuMs)[0]!;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(2);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await benchPlanning();
