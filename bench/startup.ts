import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cpuMsOf, runNode } from "./process.ts";
import { reportNote, reportAtMost } from "./report.ts";

const program = join(import.meta.dirname, "..", "dist", "sluice.js");
const rounds = 20;

/** The CPU time that the bundled program needs to print its version, and to start an embedded cluster. */
export async function benchStartup(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-bench-"));
  try {
    const empty = join(folder, "empty.mjs");
    writeFileSync(empty, "");
    await runNode([program, "version"]);
    const costs = { empty: 0, version: 0 };
    for (let round = 0; round < rounds; round++) {
      costs.empty += await cpuMs(() => runNode([empty]));
      costs.version += await cpuMs(() => runNode([program, "version"]));
    }
    reportAtMost("sluice version against an empty program: CPU", costs.version / costs.empty, 1.7, "x");
    reportNote("CPU of each", `${(costs.version / rounds).toFixed(1)} ms and ${(costs.empty / rounds).toFixed(1)} ms`);

    const ready = [];
    for (let round = 0; round < 5; round++) ready.push(await clusterReadyMs(join(folder, "kubeconfig")));
    const emptyMs = costs.empty / rounds;
    const best = Math.min(...ready);
    reportAtMost("sluice cluster ready to serve: CPU beyond an empty program", best - emptyMs, 150, " ms");
    reportNote("CPU of the whole process until then", `${best.toFixed(0)} ms`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  const before = cpuMsOf("self", { children: true });
  await work();
  return cpuMsOf("self", { children: true }) - before;
}

/** The CPU time of `sluice cluster` until it is ready. */
function clusterReadyMs(kubeconfig: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, "cluster", "--kubeconfig", kubeconfig], { stdio: ["ignore", "pipe", "inherit"] });
    let used: number | undefined;
    child.stdout.on("data", (chunk: Buffer) => {
      if (used !== undefined || !chunk.toString().includes("ready")) return;
      used = cpuMsOf(child.pid!);
      child.kill("SIGTERM");
    });
    child.on("error", reject);
    child.on("close", () => (used === undefined ? reject(new Error("sluice cluster never became ready")) : resolve(used)));
  });
}
