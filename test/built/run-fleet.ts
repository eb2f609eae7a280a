import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { fieldsAt } from "../../src/core/object/index.ts";
import { openCluster } from "../../src/kube/index.ts";
import { chartArchive, serveCharts } from "../support/chart/chart-repository.ts";
import { becomes, becomesReady, registerSecond, serveClusters, serving } from "./fleet-parts.ts";
import { runProcess, type SluiceCommand } from "./run-process.ts";

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
const charts = {
  web: chartArchive("web", {
    "templates/a.yaml": "{apiVersion: v1, kind: ConfigMap, metadata: {name: charted}, data: {release: '{{ .Release.Name }}'}}",
  }),
};

/** Exit codes, and how many clusters the controller says it has. */
type FleetOutcome = {
  readonly registered: number | null;
  readonly applied: number | null;
  readonly clusters: string | undefined;
  readonly ended: readonly (number | null)[];
};

/** How it goes when all is well. */
export const healthyFleet: FleetOutcome = { registered: 0, applied: 0, clusters: "1", ended: [0, 0] };

/** A controller and an agent, each a process of its own, in clusters that the program serves: what a profile asks for is deployed. */
export async function runFleet(program: SluiceCommand, folder: string): Promise<FleetOutcome> {
  const path = (name: string) => join(folder, name);
  const kubeconfig = path("fleet.kubeconfig");
  const manifest = path("profile.yaml");
  const repository = await serveCharts(charts);
  writeFileSync(manifest, profileWith(repository.url));
  const ends = [await serveClusters(program, kubeconfig)];
  try {
    const services = await Promise.all([
      serving(program, ["controller", "--context", "sluice-1", "--install-definitions"], kubeconfig),
      serving(program, ["agent", "--context", "sluice-2"], kubeconfig),
    ]);
    for (const { end } of services) ends.unshift(end);
    for (const service of services) await becomesReady(service);
    const registered = await registerSecond(program, kubeconfig, path("managed.kubeconfig"));
    const applied = await runProcess(program, ["apply", manifest, "--no-wait", "--context", "sluice-1", "--kubeconfig", kubeconfig]);
    await deployedTo(kubeconfig, "sluice-2");
    const metrics = await (await fetch(`${services[0].url}/metrics`)).text();
    const clusters = /^sluice_clusters\{state="ready"\} (\d+)$/m.exec(metrics)?.[1];
    const codes = await Promise.all(services.map(({ end }) => end()));
    return { registered, applied: applied.code, clusters, ended: codes };
  } finally {
    for (const end of ends) await end();
    repository.close();
  }
}

async function deployedTo(kubeconfig: string, context: string): Promise<void> {
  const { cluster, close } = await openCluster({ kubeconfig, context });
  const kind = { group: "", version: "v1", kind: "ConfigMap", namespace: "default" };
  try {
    for (const [name, data] of Object.entries(wanted))
      await becomes(
        async () => isDeepStrictEqual(fieldsAt(await cluster.find({ ...kind, name }), "data"), data),
        () => `deployed: ${name}`,
      );
  } finally {
    close();
  }
}
