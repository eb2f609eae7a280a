import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { openCluster } from "../../src/kube/index.ts";
import { runProcess, startService, type SluiceCommand } from "./run-process.ts";

const profile = `
apiVersion: v1
kind: ConfigMap
metadata: {name: content, namespace: default}
data:
  it.yaml: |
    {apiVersion: v1, kind: ConfigMap, metadata: {name: deployed, namespace: default}}
---
apiVersion: config.projectsveltos.io/v1beta1
kind: ClusterProfile
metadata: {name: it}
spec: {clusterSelector: {matchLabels: {env: fv}}, policyRefs: [{kind: ConfigMap, namespace: default, name: content}]}
`;
/** Exit codes, and how many clusters the controller says it has. */
type FleetOutcome = {
  readonly registered: number | null;
  readonly applied: number | null;
  readonly clusters: string | undefined;
  readonly ended: readonly (number | null)[];
};

/** How it goes when all is well. */
export const healthyFleet: FleetOutcome = { registered: 0, applied: 0, clusters: "1", ended: [0, 0] };

const withinMs = 60_000;

/** A controller and an agent, each a process of its own, in clusters that the program serves: what a profile asks for is deployed. */
export async function runFleet(program: SluiceCommand, folder: string): Promise<FleetOutcome> {
  const path = (name: string) => join(folder, name);
  const kubeconfig = path("fleet.kubeconfig");
  const manifest = path("profile.yaml");
  writeFileSync(manifest, profile);
  const ends = [(await startService(program, ["cluster", "--clusters", "2", "--kubeconfig", kubeconfig], /kubectl/)).end];
  try {
    const services = await Promise.all([
      serving(program, ["controller", "--context", "sluice-1", "--install-definitions"], kubeconfig),
      serving(program, ["agent", "--context", "sluice-2"], kubeconfig),
    ]);
    for (const { end } of services) ends.unshift(end);
    for (const { url } of services) await becomes(async () => (await (await fetch(`${url}/readyz`)).text()) === "ok\n", "ready");
    const managed = path("managed.kubeconfig");
    writeFileSync(managed, readFileSync(kubeconfig, "utf8").replace(/^current-context: .*$/m, "current-context: sluice-2"), {
      mode: 0o600,
    });
    const hub = ["--context", "sluice-1"];
    const registering = ["register", "cluster", "c2", "--kubeconfig", managed, "--labels", "env=fv", "-n", "mgmt", ...hub];
    const registered = await runProcess(program, [...registering, "--management-kubeconfig", kubeconfig]);
    const applied = await runProcess(program, ["apply", manifest, "--no-wait", ...hub, "--kubeconfig", kubeconfig]);
    await deployedTo(kubeconfig, "sluice-2");
    const metrics = await (await fetch(`${services[0].url}/metrics`)).text();
    const clusters = /^sluice_clusters\{state="ready"\} (\d+)$/m.exec(metrics)?.[1];
    const codes = await Promise.all(services.map(({ end }) => end()));
    return { registered: registered.code, applied: applied.code, clusters, ended: codes };
  } finally {
    for (const end of ends) await end();
  }
}

async function serving(program: SluiceCommand, args: readonly string[], kubeconfig: string) {
  const flags = ["--kubeconfig", kubeconfig, "--metrics-address", "127.0.0.1:0"];
  const { line, end } = await startService(program, [...args, ...flags], /"listens"/);
  return { end, url: (JSON.parse(line) as { url: string }).url };
}

async function deployedTo(kubeconfig: string, context: string): Promise<void> {
  const { cluster, close } = await openCluster({ kubeconfig, context });
  const ref = { group: "", version: "v1", kind: "ConfigMap", namespace: "default", name: "deployed" };
  try {
    await becomes(async () => (await cluster.find(ref)) !== undefined, "deployed");
  } finally {
    close();
  }
}

/** Waits for something that other processes do: there is nothing here that could be watched. */
async function becomes(isRight: () => Promise<boolean>, what: string): Promise<void> {
  for (const until = Date.now() + withinMs; !(await isRight());) {
    if (Date.now() > until) throw new Error(`it is not ${what} after ${withinMs / 1000} s`);
    await setTimeout(50);
  }
}
