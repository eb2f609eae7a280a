import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { fieldsAt } from "../../src/core/object/index.ts";
import { openCluster } from "../../src/kube/index.ts";
import { packagedChart } from "../support/chart/packaged-chart.ts";
import { runProcess, startService, type SluiceCommand } from "./run-process.ts";

/** A template, a chart and a patch: what a controller leaves to its workers. */
const profileWith = (repositoryURL: string) => `
apiVersion: v1
kind: ConfigMap
metadata: {name: content, namespace: default, annotations: {projectsveltos.io/template: ok}}
data:
  it.yaml: |
    {apiVersion: v1, kind: ConfigMap, metadata: {name: deployed, namespace: default}, data: {cluster: '{{ .Cluster.metadata.name }}'}}
---
apiVersion: config.projectsveltos.io/v1beta1
kind: ClusterProfile
metadata: {name: it}
spec:
  clusterSelector: {matchLabels: {env: fv}}
  policyRefs: [{kind: ConfigMap, namespace: default, name: content}]
  helmCharts: [{repositoryURL: "${repositoryURL}", repositoryName: r, chartName: r/web, chartVersion: 0.1.0, releaseName: charted, releaseNamespace: default}]
  patches: [{target: {kind: ConfigMap}, patch: "[{op: add, path: /data/patched, value: 'yes'}]"}]
`;
const wanted = { deployed: { cluster: "c2", patched: "yes" }, charted: { release: "charted", patched: "yes" } };
const chart = packagedChart({
  "web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 0.1.0\n",
  "web/templates/a.yaml": "{apiVersion: v1, kind: ConfigMap, metadata: {name: charted}, data: {release: '{{ .Release.Name }}'}}",
});
const index = "{apiVersion: v1, entries: {web: [{apiVersion: v2, name: web, version: 0.1.0, urls: [web-0.1.0.tgz]}]}}";

/** Serves the repository of the chart. */
async function startRepository(): Promise<{ readonly url: string; readonly end: () => void }> {
  const server = createServer((request, response) => void response.end(request.url === "/index.yaml" ? index : chart));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, end: () => void server.close() };
}

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
  const repository = await startRepository();
  writeFileSync(manifest, profileWith(repository.url));
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
    repository.end();
  }
}

async function serving(program: SluiceCommand, args: readonly string[], kubeconfig: string) {
  const flags = ["--kubeconfig", kubeconfig, "--metrics-address", "127.0.0.1:0"];
  const { line, end } = await startService(program, [...args, ...flags], /"listens"/);
  return { end, url: (JSON.parse(line) as { url: string }).url };
}

async function deployedTo(kubeconfig: string, context: string): Promise<void> {
  const { cluster, close } = await openCluster({ kubeconfig, context });
  const kind = { group: "", version: "v1", kind: "ConfigMap", namespace: "default" };
  try {
    for (const [name, data] of Object.entries(wanted))
      await becomes(async () => isDeepStrictEqual(fieldsAt(await cluster.find({ ...kind, name }), "data"), data), `deployed: ${name}`);
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
