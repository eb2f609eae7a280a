import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Cluster } from "../src/kube/index.ts";
import { listAt } from "../src/core/object/index.ts";
import { freePorts } from "../test/cluster/control-plane-process.ts";
import { buildKwok, kwokStages } from "../test/cluster/toolchain.ts";

const nodes = 4;
const capacity = { cpu: "1k", memory: "4Ti", pods: "1000" };

/** Starts KWOK for a control plane, with nodes and the stages that make a pod ready at once. */
export async function startKwok(cluster: Cluster, kubeconfig: string, log: (line: string) => void): Promise<{ stop(): Promise<void> }> {
  const program = await buildKwok(log);
  const folder = mkdtempSync(join(tmpdir(), "sluice-bench-kwok-"));
  const stages = join(folder, "stages.yaml");
  writeFileSync(stages, await kwokStages());
  const [port] = await freePorts(1);
  const flags = ["--manage-all-nodes=true", "--cidr=10.244.0.0/16", "--node-ip=127.0.0.1", "--node-lease-duration-seconds=40"];
  const logFile = join(folder, "kwok.log");
  const output = openSync(logFile, "a");
  const child = spawn(program, [`--kubeconfig=${kubeconfig}`, `--server-address=127.0.0.1:${port}`, `--config=${stages}`, ...flags], {
    stdio: ["ignore", output, output],
  });
  closeSync(output);
  const kill = () => void child.kill("SIGKILL");
  process.once("exit", kill);
  const ended = once(child, "exit");
  const stop = async () => {
    child.kill();
    await ended;
    process.removeListener("exit", kill);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const early = ended.then(() => Promise.reject(new Error(`KWOK has ended: ${readFileSync(logFile, "utf8").slice(-2000)}`)));
    await Promise.race([early, addNodes(cluster)]);
    early.catch(() => {});
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
}

/** Creates the nodes and waits until all of them are ready. */
async function addNodes(cluster: Cluster): Promise<void> {
  const names = Array.from({ length: nodes }, (_, at) => `node-${at}`);
  for (const name of names) {
    const metadata = { name, annotations: { "kwok.x-k8s.io/node": "fake" }, labels: { "kubernetes.io/hostname": name } };
    await cluster.create({ apiVersion: "v1", kind: "Node", metadata, status: { capacity, allocatable: capacity } });
  }
  const unready = new Set(names);
  for await (const { object } of cluster.watch({ group: "", version: "v1", kind: "Node" })) {
    if (listAt(object, "status.conditions").some(({ type, status }) => type === "Ready" && status === "True"))
      unready.delete(object.metadata.name);
    if (unready.size === 0) return;
  }
}
