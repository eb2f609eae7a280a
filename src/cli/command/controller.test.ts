import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { test } from "node:test";
import { testFolder, serveClusters, runSluice } from "../../../test/support/command-line.ts";
import { sveltosCrds, kindNames } from "../../sveltos/api/index.ts";
import { openCluster } from "../../kube/index.ts";
import { listAt, numberAt, stringAt, stringsAt, valueAt, type KubeObject } from "../../core/object/index.ts";
import { readManifests, writeYaml } from "../../lang/yaml/index.ts";
import { version } from "../version.ts";

const folder = testFolder("controller");
const served = await serveClusters(folder, "--clusters", "3");
const chart = join(import.meta.dirname, "..", "..", "..", "deploy");

function objectsIn(text: string): readonly KubeObject[] {
  const { manifests, problems } = readManifests(text, "output");
  assert.deepEqual(problems, []);
  return manifests.map(({ object }) => object);
}

const title = ({ kind, metadata: { name } }: KubeObject) => `${kind} ${name}`;

test("the chart has the definitions of every kind, as src/sveltos/api describes them (node tools/write-crds.ts)", () => {
  const files = readdirSync(join(chart, "crds"));
  assert.deepEqual(
    files.toSorted(),
    sveltosCrds()
      .map(({ metadata }) => `${metadata.name}.yaml`)
      .toSorted(),
  );
  for (const definition of sveltosCrds())
    assert.equal(readFileSync(join(chart, "crds", `${definition.metadata.name}.yaml`), "utf8"), writeYaml(definition));
  assert.match(readFileSync(join(chart, "Chart.yaml"), "utf8"), new RegExp(`^appVersion: ${version}$`, "m"));
});

test("manifests prints all that installs a controller, the same as the chart", async () => {
  const { code, out } = await runSluice("controller", "manifests", "-n", "there", "--image", "reg:5000/sluice:1.2", "--replicas", "3");
  assert.equal(code, 0);
  const objects = objectsIn(out);
  const set = "createNamespace=true,image.repository=reg:5000/sluice,image.tag=1.2,controller.replicas=3";
  const rendered = await runSluice("render", chart, "--release", "sluice", "-n", "there", "--include-crds", "--set", set);
  assert.deepEqual(objects, objectsIn(rendered.out));
  const served = objects.flatMap((object) => (object.kind === "CustomResourceDefinition" ? [stringAt(object, "spec.names.kind", "")] : []));
  assert.deepEqual(served.toSorted(), [...kindNames].toSorted());
  assert.deepEqual(objects.filter(({ kind }) => kind !== "CustomResourceDefinition").map(title), [
    "Namespace there",
    "Namespace projectsveltos",
    "PodDisruptionBudget sluice-controller",
    "ServiceAccount sluice-controller",
    "ClusterRole there-sluice-controller",
    "ClusterRole there-sluice-controller-extra",
    "ClusterRole there-sluice-controller-tenants",
    "ClusterRole there-sluice-controller-kubeconfigs",
    "ClusterRoleBinding there-sluice-controller",
    "ClusterRoleBinding there-sluice-controller-extra",
    "ClusterRoleBinding there-sluice-controller-tenants",
    "ClusterRoleBinding there-sluice-controller-kubeconfigs",
    "Role sluice-controller-generated",
    "Role sluice-controller",
    "RoleBinding sluice-controller-generated",
    "RoleBinding sluice-controller",
    "Service sluice-controller",
    "Deployment sluice-controller",
    "ValidatingAdmissionPolicy there-sluice-controller-tenants",
    "ValidatingAdmissionPolicy there-sluice-controller-records",
    "ValidatingAdmissionPolicy there-sluice-controller-generated",
    "ValidatingAdmissionPolicyBinding there-sluice-controller-tenants",
    "ValidatingAdmissionPolicyBinding there-sluice-controller-records",
    "ValidatingAdmissionPolicyBinding there-sluice-controller-generated",
  ]);
  const deployment = objects.find(({ kind }) => kind === "Deployment");
  const [container] = listAt(deployment, "spec.template.spec.containers");
  assert.equal(valueAt(deployment, "spec.replicas"), 3);
  assert.equal(stringAt(container, "image"), "reg:5000/sluice:1.2");
  assert.deepEqual(stringsAt(container, "args"), [
    "controller",
    "--namespace",
    "there",
    "--metrics-address",
    ":8080",
    "--log-level",
    "info",
  ]);
  assert.equal(stringAt(container, "livenessProbe.httpGet.path"), "/healthz");
  assert.equal(stringAt(container, "readinessProbe.httpGet.path"), "/readyz");
  assert.equal(valueAt(container, "securityContext.readOnlyRootFilesystem"), true);
  assert.equal(valueAt(deployment, "spec.template.spec.securityContext.runAsNonRoot"), true);
});

test("manifests --agent prints all that installs an agent, and the definitions that it lives on", async () => {
  const { code, out } = await runSluice("controller", "manifests", "--agent");
  assert.equal(code, 0);
  assert.deepEqual(objectsIn(out).map(title), [
    "CustomResourceDefinition eventreports.lib.projectsveltos.io",
    "CustomResourceDefinition eventsources.lib.projectsveltos.io",
    "Namespace projectsveltos",
    "ServiceAccount sluice-agent",
    "ClusterRole projectsveltos-sluice-agent",
    "ClusterRole projectsveltos-sluice-agent-extra",
    "ClusterRoleBinding projectsveltos-sluice-agent",
    "ClusterRoleBinding projectsveltos-sluice-agent-sources",
    "ClusterRoleBinding projectsveltos-sluice-agent-extra",
    "Role sluice-agent",
    "RoleBinding sluice-agent",
    "Service sluice-agent",
    "Deployment sluice-agent",
  ]);
});

test("the arguments that the chart gives are a command line", async () => {
  for (const flags of [[], ["--agent"]]) {
    const { out } = await runSluice("controller", "manifests", ...flags);
    const deployment = objectsIn(out).find(({ kind }) => kind === "Deployment");
    const args = stringsAt(listAt(deployment, "spec.template.spec.containers")[0], "args");
    const { code, err } = await runSluice(...args, "--kubeconfig", "/nowhere");
    assert.match(err, /\/nowhere/);
    assert.equal(code, 1);
  }
});

type Service = { readonly page: (path: string) => Promise<string>; readonly stop: () => Promise<number> };

/** Starts a command in a process of its own; there as soon as it listens. */
async function started(...args: readonly string[]): Promise<Service> {
  const program = join(import.meta.dirname, "..", "main.ts");
  const flags = ["--kubeconfig", served.kubeconfig, "--metrics-address", "127.0.0.1:0"];
  const child = spawn(process.execPath, [program, ...args, ...flags], { stdio: ["ignore", "inherit", "pipe"] });
  const ended = once(child, "close").then(([code]) => Number(code));
  const lines = createInterface({ input: child.stderr });
  const said: string[] = [];
  lines.on("line", (line) => said.push(line));
  while (!said.some((line) => line.includes('"listens"'))) {
    const first = await Promise.race([once(lines, "line"), ended]);
    if (typeof first === "number") assert.fail(`it has ended with ${first}: ${said.join("\n")}`);
  }
  const { url } = JSON.parse(said.find((line) => line.includes('"listens"')) ?? "{}") as { url: string };
  const page = async (path: string) => {
    const answer = await fetch(url + path);
    return `${answer.status} ${await answer.text()}`;
  };
  const stop = () => {
    child.kill("SIGTERM");
    return ended;
  };
  return { page, stop };
}

/** Waits for something that other processes do: there is nothing here that could be watched. */
async function becomes<T>(look: () => Promise<T>, isRight: (found: T) => boolean): Promise<T> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const found = await look();
    if (isRight(found) || Date.now() > deadline) return found;
    await setTimeout(50);
  }
}

test("Sluice deploys itself", async () => {
  const there = ["--context", "sluice-3", "--kubeconfig", served.kubeconfig] as const;
  // The embedded cluster has no disruption controller, and nothing waits for one.
  const { code, err } = await runSluice("deploy", "sluice", chart, "-n", "projectsveltos", "--create-namespace", "--no-wait", ...there);
  assert.equal(code, 0, err);
  const { cluster, close } = await openCluster({ kubeconfig: served.kubeconfig, context: "sluice-3" });
  try {
    const ref = { group: "apps", version: "v1", kind: "Deployment", namespace: "projectsveltos", name: "sluice-controller" };
    const available = async () => numberAt(await cluster.get(ref), "status.availableReplicas", 0);
    assert.equal(await becomes(available, (count) => count === 2), 2);
  } finally {
    close();
  }
});

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

test("a controller and an agent serve probes and deploy until they are ended", async () => {
  const hub = ["--context", "sluice-1", "--kubeconfig", served.kubeconfig] as const;
  const managed = await openCluster({ kubeconfig: served.kubeconfig, context: "sluice-2" });
  const management = await openCluster({ kubeconfig: served.kubeconfig, context: "sluice-1" });
  const services: Service[] = [];
  try {
    services.push(await started("controller", "--context", "sluice-1", "--install-definitions"));
    services.push(await started("agent", "--context", "sluice-2"));
    for (const { page } of services)
      assert.equal(
        await becomes(
          () => page("/readyz"),
          (text) => text.startsWith("200"),
        ),
        "200 ok\n",
      );
    for (const { page } of services) assert.equal(await page("/healthz"), "200 ok\n");
    const kubeconfig = folder.file("managed.kubeconfig", kubeconfigOf("sluice-2"));
    const registering = ["register", "cluster", "c2", "--kubeconfig", kubeconfig, "--labels", "env=fv", "-n", "mgmt"];
    const { code, err } = await runSluice(...registering, "--management-kubeconfig", served.kubeconfig, "--context", "sluice-1");
    assert.equal(code, 0, err);
    assert.equal((await runSluice("apply", folder.file("profile.yaml", profile), "--no-wait", ...hub)).code, 0);
    const ref = { group: "", version: "v1", kind: "ConfigMap", namespace: "default", name: "deployed" };
    assert.ok(
      await becomes(
        () => managed.cluster.find(ref),
        (found) => found !== undefined,
      ),
    );
    assert.match(await services[0]!.page("/metrics"), /^sluice_clusters\{state="ready"\} 1$/m);
    for (const { stop } of services) assert.equal(await stop(), 0);
    const leases = await management.cluster.list(leaseKind, { namespace: "projectsveltos" });
    assert.deepEqual(leases.items.map(title), []);
  } finally {
    for (const { stop } of services) await stop();
    for (const { close } of [managed, management]) close();
  }
});

const leaseKind = { group: "coordination.k8s.io", version: "v1", kind: "Lease" };

/** The kubeconfig of the served clusters with another one chosen. */
function kubeconfigOf(context: string): string {
  return readFileSync(served.kubeconfig, "utf8").replace(/^current-context: .*$/m, `current-context: ${context}`);
}
