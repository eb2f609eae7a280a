import { join } from "node:path";
import { reportNote, reportAtMost } from "./report.ts";
import { runNode } from "./process.ts";

/** The cost of one rollout in its own process. */
export type RolloutCost = { readonly cpuMs: number; readonly peakMb: number; readonly virtualMs: number; readonly available: number };

/** Rolls out Deployments of 10 replicas on an embedded cluster in virtual time, 200 of them and twice as many. */
export async function benchRollout(): Promise<void> {
  const rounds = 3;
  const costs = { once: [] as RolloutCost[], twice: [] as RolloutCost[] };
  for (let round = 0; round < rounds; round++) {
    costs.once.push(await rolledOut(200));
    costs.twice.push(await rolledOut(400));
  }
  const once = best(costs.once);
  const twice = best(costs.twice);
  reportAtMost("200 Deployments x 10 replicas: CPU", once.cpuMs / 1000, 3, " s");
  reportAtMost("200 Deployments x 10 replicas: peak memory", once.peakMb, 500, " MB");
  reportAtMost("400 against 200 Deployments: CPU", twice.cpuMs / once.cpuMs, 2.2, "x");
  reportNote("replicas available", `${once.available} and ${twice.available}`);
  reportNote("virtual time it took", `${(once.virtualMs / 1000).toFixed(1)} s and ${(twice.virtualMs / 1000).toFixed(1)} s`);
}

async function rolledOut(deployments: number): Promise<RolloutCost> {
  return JSON.parse(await runNode([join(import.meta.dirname, "rollout-process.ts"), String(deployments)])) as RolloutCost;
}

function best(costs: readonly RolloutCost[]): RolloutCost {
  return costs.toSorted((a, b) => a.cpuMs - b.cpuMs)[0]!;
}
