import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runNode } from "./process.ts";
import { reportAtMost, reportNote } from "./report.ts";

/** What a rehearsal costs in its own process, and each of the failures that were played after it. */
export type RehearsalCost = { readonly cpuMs: number; readonly virtualMs: number; readonly failureCpuMs: number };

/** Rehearses a rollout of 200 workloads that takes an hour, one of twice as many, and failures of it. */
export async function benchRehearsal(): Promise<void> {
  const [workloads, failures] = [200, 20];
  const once = await rehearsed(workloads, failures);
  const twice = await rehearsed(2 * workloads, 0);
  reportNote(`${workloads} workloads take, in virtual time`, `${(once.virtualMs / 60_000).toFixed(0)} min`);
  reportAtMost(`a rehearsal of ${workloads} workloads: CPU after start-up`, once.cpuMs / 1000, 1, " s");
  reportAtMost(`${2 * workloads} against ${workloads} workloads, which take twice as long: CPU`, twice.cpuMs / once.cpuMs, 2.5, "x");
  const every = (once.failureCpuMs * workloads) / 1000;
  reportAtMost(`${workloads} failures and their undoing, by ${failures} of them: CPU`, every, 120, " s");
}

async function rehearsed(workloads: number, failures: number): Promise<RehearsalCost> {
  return JSON.parse(
    await runNode([join(import.meta.dirname, "rehearsal-process.ts"), String(workloads), String(failures)]),
  ) as RehearsalCost;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await benchRehearsal();
