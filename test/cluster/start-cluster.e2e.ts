import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { RealClock, sleep } from "../../src/core/clock/index.ts";
import { openCluster } from "../../src/kube/index.ts";
import { environmentVariables } from "./run-end-to-end.ts";
import { isProcessAlive } from "./build-lock.ts";
import { startCluster } from "./start-cluster.ts";

const program = process.env[environmentVariables.kubectl] ?? "";
const clock = new RealClock();

test("clusters run side by side, know nothing of each other and leave nothing behind", async () => {
  const clusters = await Promise.all(["one", "two"].map((name) => startCluster(program, { name })));
  try {
    for (const { kubeconfig } of clusters) assert.equal(statSync(kubeconfig).mode & 0o777, 0o600);
    const [first, second] = await Promise.all(clusters.map(({ kubeconfig }) => openCluster({ kubeconfig })));
    assert.deepEqual([first!.context, second!.context], ["one", "two"]);
    await first!.cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "mine" } });
    const mine = { group: "", version: "v1", kind: "Namespace", namespace: "", name: "mine" };
    assert.equal((await first!.cluster.get(mine)).metadata.name, "mine");
    assert.equal(await second!.cluster.find(mine), undefined);
    first!.close();
    second!.close();
  } finally {
    await Promise.all(clusters.map((cluster) => cluster.stop()));
  }
  for (const { kubeconfig } of clusters) assert.equal(existsSync(dirname(kubeconfig)), false);
});

test("a control plane does not outlive a runner that is killed", async () => {
  const module = JSON.stringify(join(import.meta.dirname, "start-cluster.ts"));
  const script = `const { startCluster } = await import(${module}); console.log((await startCluster(${JSON.stringify(program)})).server);`;
  const runner = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  const server = await new Promise<string>((resolve, reject) => {
    runner.stdout.setEncoding("utf8").once("data", resolve);
    runner.once("exit", (code) => reject(new Error(`the runner ended with ${code}`)));
  });
  assert.equal(isProcessAlive(runner.pid ?? 0), true);
  const port = new URL(server.trim()).port;
  runner.removeAllListeners("exit");
  runner.kill("SIGKILL");
  const until = clock.now() + 20_000;
  while (await isServing(port)) {
    assert.ok(clock.now() < until, `port ${port} is still served 20 s after its runner was killed`);
    await sleep(clock, 200);
  }
});

test("a component that cannot start is named, with the end of its log", async () => {
  await assert.rejects(startCluster("/bin/false"), /start cluster real: (etcd|kube-apiserver) has ended; its last lines/);
});

async function isServing(port: string): Promise<boolean> {
  try {
    await fetch(`http://127.0.0.1:${port}/readyz`);
    return true;
  } catch (error) {
    return !(error instanceof Error && String(error.cause).includes("ECONNREFUSED"));
  }
}
