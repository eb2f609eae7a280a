/**
 * What `--data` and `--fsync` cost: the server's CPU for a create, and how many it answers in a second; and how long a start with
 * 10,000 objects takes. The clients are in this process, so that only the server is measured.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ClusterProcess } from "../test/data/cluster-process.ts";
import { cpuMsOf } from "./process.ts";
import { reportAtMost, reportNote } from "./report.ts";

const program = join(import.meta.dirname, "..", "dist", "sluice.js");
const rounds = 3;
const creates = 2000;
const together = 32;
const kept = 10_000;
const modes = { "without --data": [], "--data": ["--data"], "--data --fsync": ["--data", "--fsync"] } as const;

type Cost = { readonly cpuMs: number; readonly wallMs: number };

/** Runs the benchmark and prints ratios and figures. */
export async function benchData(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-bench-"));
  try {
    const best: Record<string, Cost> = {};
    for (let round = 0; round < rounds; round++) {
      for (const [mode, [data, fsync]] of Object.entries(modes)) {
        const flags = [...(data === undefined ? [] : [data, join(folder, `${round}${mode}`)]), ...(fsync === undefined ? [] : [fsync])];
        const cost = await costOfCreates(folder, flags);
        best[mode] = {
          cpuMs: Math.min(cost.cpuMs, best[mode]?.cpuMs ?? Infinity),
          wallMs: Math.min(cost.wallMs, best[mode]?.wallMs ?? Infinity),
        };
      }
    }
    const cpu = (mode: keyof typeof modes) => best[mode]!.cpuMs;
    reportAtMost("a create with --data: CPU of the server against without", cpu("--data") / cpu("without --data"), 1.5, "x");
    reportAtMost("a create with --data --fsync: the same", cpu("--data --fsync") / cpu("without --data"), 2, "x");
    for (const [mode, { cpuMs, wallMs }] of Object.entries(best))
      reportNote(`${mode}: creates`, `${Math.round((creates / wallMs) * 1000)}/s, ${((cpuMs / creates) * 1000).toFixed(0)} µs of CPU each`);
    await benchStart(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function costOfCreates(folder: string, flags: readonly string[]): Promise<Cost> {
  const server = new ClusterProcess({ program, kubeconfig: join(folder, "kubeconfig"), flags });
  try {
    await server.ready;
    await create(server, "warm", 500);
    const [cpuBefore, startedAt] = [cpuMsOf(server.pid), performance.now()];
    await create(server, "measured", creates);
    return { cpuMs: cpuMsOf(server.pid) - cpuBefore, wallMs: performance.now() - startedAt };
  } finally {
    await server.kill();
  }
}

async function create(server: ClusterProcess, prefix: string, count: number): Promise<void> {
  let next = 0;
  const client = async (): Promise<void> => {
    while (next < count) {
      const metadata = { name: `${prefix}-${next++}` };
      const body = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { text: "x".repeat(1000) } };
      const answer = await server.request("POST", "/api/v1/namespaces/default/configmaps", body);
      if (answer?.status !== 201) throw new Error(`a create was answered with ${answer?.status}`);
    }
  };
  await Promise.all(Array.from({ length: together }, client));
}

/** The CPU of a start with many objects in its folder, beyond that of a start with none. */
async function benchStart(folder: string): Promise<void> {
  const [full, empty] = [join(folder, "full"), join(folder, "empty")];
  await started(folder, full, (server) => create(server, "kept", kept));
  await started(folder, empty, async () => {});
  const costs = { full: Infinity, empty: Infinity };
  for (let round = 0; round < rounds; round++) {
    costs.full = Math.min(costs.full, await started(folder, full, async () => {}));
    costs.empty = Math.min(costs.empty, await started(folder, empty, async () => {}));
  }
  reportAtMost(`a start with ${kept} objects: CPU beyond one with none`, costs.full - costs.empty, 800, " ms");
  reportNote("CPU of each until ready", `${costs.full} ms and ${costs.empty} ms`);
}

/** Starts a cluster, does something with it, and kills it. The answer is the CPU that it used until it was ready. */
async function started(folder: string, data: string, work: (server: ClusterProcess) => Promise<void>): Promise<number> {
  const server = new ClusterProcess({ program, kubeconfig: join(folder, "kubeconfig"), flags: ["--data", data] });
  try {
    await server.ready;
    const used = cpuMsOf(server.pid);
    await work(server);
    return used;
  } finally {
    await server.kill();
  }
}
