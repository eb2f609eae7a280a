import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCluster } from "../test/cluster/start-cluster.ts";
import { buildControlPlane } from "../test/cluster/toolchain.ts";
import { ClusterProcess } from "../test/data/cluster-process.ts";
import { cpuMsOf, residentMiBOf } from "./process.ts";

/** An API server in processes of its own. */
export type ApiSide = {
  readonly kubeconfig: string;
  /** User and system, in milliseconds, so far. */
  cpuMs(): number;
  residentMiB(): number;
  stop(): Promise<void>;
};

const program = join(import.meta.dirname, "..", "dist", "sluice.js");

/** `sluice cluster` as users run it: its controllers are in the same process, and counted. */
export async function openEmbeddedSide(flags: readonly string[] = []): Promise<ApiSide> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-bench-api-"));
  const kubeconfig = join(folder, "kubeconfig");
  const server = new ClusterProcess({ program, kubeconfig, flags });
  const kill = () => process.kill(server.pid);
  process.once("exit", kill);
  const stop = async () => {
    process.removeListener("exit", kill);
    await server.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await server.ready;
  } catch (error) {
    await stop();
    throw error;
  }
  return { kubeconfig, cpuMs: () => cpuMsOf(server.pid), residentMiB: () => residentMiBOf(server.pid), stop };
}

/** kube-apiserver and etcd. The controller manager and the scheduler run beside them, and are not counted. */
export async function openRealSide(): Promise<ApiSide> {
  const running = await startCluster(await buildControlPlane((line) => void process.stdout.write(`     ${line}\n`)), { name: "bench" });
  const sum = (of: (pid: number) => number) => of(running.pidOf("kube-apiserver")) + of(running.pidOf("etcd"));
  return {
    kubeconfig: running.kubeconfig,
    cpuMs: () => sum((pid) => cpuMsOf(pid)),
    residentMiB: () => sum(residentMiBOf),
    stop: () => running.stop(),
  };
}

export type ApiSides = { readonly embedded: ApiSide; readonly real: ApiSide };

/** Starts both, and stops them after the work. */
export async function withApiSides(work: (sides: ApiSides) => Promise<void>): Promise<void> {
  const embedded = await openEmbeddedSide();
  try {
    const real = await openRealSide();
    try {
      await work({ embedded, real });
    } finally {
      await real.stop();
    }
  } finally {
    await embedded.stop();
  }
}
