import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { environmentVariables } from "./run-end-to-end.ts";
import { makeTemporaryFolder } from "./temporary-folder.ts";

const folder = makeTemporaryFolder();
const kubectl = process.env[environmentVariables.kubectl] ?? "";
const namespace = `e2e-${process.pid}`;

const deployment = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: "web" } },
    template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "web", image: "example.com/good:1" }] } },
  },
};
const service = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "web", namespace },
  spec: { selector: { app: "web" }, ports: [{ port: 80 }] },
};
const settings = (a: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings", namespace }, data: { a } });
const manifests = {
  "namespace.yaml": [{ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } }],
  "web.yaml": [deployment, service],
  "settings.yaml": [settings("1")],
  "other.yaml": [settings("2")],
};
for (const [name, documents] of Object.entries(manifests)) {
  writeFileSync(join(folder, name), documents.map((document) => JSON.stringify(document)).join("\n---\n"));
}
after(() => rmSync(folder, { recursive: true, force: true }));

/** A command, and the output that it must print (trimmed) or match. `fails`: its exit code must not be 0. */
type Command = { readonly run: string; readonly prints: string | RegExp; readonly fails?: boolean; readonly needsKubelet?: boolean };

const commands: readonly Command[] = [
  { run: "apply -f namespace.yaml", prints: `namespace/${namespace} created` },
  // kubectl sends what it makes itself as protobuf, and has no other way.
  { run: "create configmap made --from-literal=a=b", prints: "configmap/made created" },
  { run: "create configmap made --from-literal=a=b", prints: /configmaps "made" already exists$/, fails: true },
  { run: "create secret generic made --from-literal=a=b", prints: "secret/made created" },
  { run: "get secret made -o jsonpath={.data.a}", prints: "Yg==" },
  { run: "create deployment made --image=example.com/good:1 --replicas=0 --port=80", prints: "deployment.apps/made created" },
  { run: "expose deployment made --port=80", prints: "service/made exposed" },
  { run: "autoscale deployment made --min=1 --max=3 --cpu=50%", prints: "horizontalpodautoscaler.autoscaling/made autoscaled" },
  { run: "scale deployment made --replicas=0", prints: "deployment.apps/made scaled" },
  { run: "create job made --image=example.com/good:1", prints: "job.batch/made created" },
  { run: "create cronjob made --image=example.com/good:1 --schedule=@yearly", prints: "cronjob.batch/made created" },
  { run: "create job copied --from=cronjob/made", prints: "job.batch/copied created" },
  { run: "run made --image=example.com/good:1 --restart=Never", prints: "pod/made created" },
  { run: "create quota made --hard=configmaps=50", prints: "resourcequota/made created" },
  { run: "create role made --verb=get --resource=pods", prints: "role.rbac.authorization.k8s.io/made created" },
  {
    run: `create rolebinding made --role=made --serviceaccount=${namespace}:default`,
    prints: "rolebinding.rbac.authorization.k8s.io/made created",
  },
  { run: "create serviceaccount made", prints: "serviceaccount/made created" },
  { run: "create token made", prints: /^[\w-]+\.[\w-]+\.[\w-]+$/ },
  { run: "create ingress made --rule=example.com/a=made:80", prints: "ingress.networking.k8s.io/made created" },
  { run: "create pdb made --selector=app=made --min-available=1", prints: "poddisruptionbudget.policy/made created" },
  { run: `create priorityclass ${namespace} --value=1000`, prints: `priorityclass.scheduling.k8s.io/${namespace} created` },
  { run: `delete priorityclass ${namespace}`, prints: /priorityclass.scheduling.k8s.io "e2e-\d+" deleted$/ },
  { run: "create service clusterip other --tcp=80:8080", prints: "service/other created" },
  { run: "auth whoami -o jsonpath={.kind}", prints: "SelfSubjectReview" },
  { run: "delete pod made --grace-period=0 --force", prints: /pod "made" force deleted from e2e-\d+ namespace$/ },
  { run: "delete job made copied", prints: /^job.batch "made" deleted from \S+ namespace\njob.batch "copied" deleted from \S+ namespace$/ },
  { run: "delete deployment made", prints: `deployment.apps "made" deleted from ${namespace} namespace` },
  {
    run: "delete service made other",
    prints: `service "made" deleted from ${namespace} namespace\nservice "other" deleted from ${namespace} namespace`,
  },
  { run: `create namespace ${namespace}-x`, prints: `namespace/${namespace}-x created` },
  { run: `delete namespace ${namespace}-x --timeout=90s`, prints: /namespace "e2e-\d+-x" deleted$/ },
  { run: "apply -f web.yaml", prints: "deployment.apps/web created\nservice/web created", needsKubelet: true },
  { run: "apply -f web.yaml", prints: "deployment.apps/web unchanged\nservice/web unchanged", needsKubelet: true },
  { run: "rollout status deployment/web --timeout=90s", prints: /deployment "web" successfully rolled out$/, needsKubelet: true },
  { run: "wait --for=condition=Available deployment/web --timeout=60s", prints: "deployment.apps/web condition met", needsKubelet: true },
  {
    run: "wait --for=jsonpath={.status.readyReplicas}=2 deployment/web --timeout=60s",
    prints: "deployment.apps/web condition met",
    needsKubelet: true,
  },
  { run: "get deployment web -o name", prints: "deployment.apps/web", needsKubelet: true },
  { run: "get deployments,services -o name", prints: "deployment.apps/web\nservice/web", needsKubelet: true },
  { run: "get deployment web -o jsonpath={.spec.replicas}/{.status.availableReplicas}", prints: "2/2", needsKubelet: true },
  {
    run: "get deployment web -o yaml",
    prints: /^apiVersion: apps\/v1\nkind: Deployment\nmetadata:\n {2}annotations:\n(.*\n)+ {2}replicas: 2\n/,
    needsKubelet: true,
  },
  { run: "get pods -l app=web -o jsonpath={.items[*].status.phase}", prints: "Running Running", needsKubelet: true },
  { run: "set image deployment/web web=example.com/good:2", prints: "deployment.apps/web image updated", needsKubelet: true },
  { run: "rollout status deployment/web --timeout=90s", prints: /deployment "web" successfully rolled out$/, needsKubelet: true },
  { run: "get replicasets -l app=web -o jsonpath={.items[*].spec.replicas}", prints: /^(0 2|2 0)$/, needsKubelet: true },
  { run: "apply --server-side -f settings.yaml", prints: "configmap/settings serverside-applied" },
  { run: "get configmap settings -o json", prints: /"data": \{\s+"a": "1"\s+\}/ },
  { run: "apply --server-side --field-manager=other -f other.yaml", prints: /conflict with "kubectl": \.data\.a/, fails: true },
  { run: "apply --server-side --field-manager=other --force-conflicts -f other.yaml", prints: "configmap/settings serverside-applied" },
  { run: 'patch configmap settings --type=merge -p {"data":{"b":"2"}}', prints: "configmap/settings patched" },
  { run: 'patch configmap settings --type=json -p [{"op":"replace","path":"/data/b","value":"3"}]', prints: "configmap/settings patched" },
  { run: 'patch configmap settings -p {"data":{"b":"3"}}', prints: "configmap/settings patched (no change)" },
  { run: "get configmap settings -o jsonpath={.data}", prints: '{"a":"2","b":"3"}' },
  { run: "label configmap settings tier=front", prints: "configmap/settings labeled" },
  { run: "label configmap settings tier=back", prints: /'tier' already has a value \(front\), and --overwrite is false/, fails: true },
  { run: "annotate configmap settings note=hello", prints: "configmap/settings annotated" },
  { run: "get configmaps -l tier=front -o name", prints: "configmap/settings" },
  { run: "delete configmap settings", prints: `configmap "settings" deleted from ${namespace} namespace` },
  { run: "get configmap settings", prints: 'Error from server (NotFound): configmaps "settings" not found', fails: true },
  {
    run: "delete -f web.yaml --timeout=60s",
    prints: `deployment.apps "web" deleted from ${namespace} namespace\nservice "web" deleted from ${namespace} namespace`,
    needsKubelet: true,
  },
  { run: "wait --for=delete pod -l app=web --timeout=60s", prints: /^(pod\/web-\S+ condition met\n?)*$/, needsKubelet: true },
];

type Place = { readonly kubeconfig: string | undefined };

const hasKubelet = process.env[environmentVariables.hasKubelet] !== "no";
const chosen = commands.filter((command) => hasKubelet || command.needsKubelet !== true);

describe("kubectl on a real control plane", () => {
  runsCommands({ kubeconfig: process.env[environmentVariables.kubeconfig] });
});

describe("kubectl on an embedded cluster", () => {
  const place = { kubeconfig: join(folder, "embedded") };
  let sluice: ChildProcess;
  before(async () => {
    const entry = join(import.meta.dirname, "..", "..", "src", "cli", "main.ts");
    sluice = spawn(process.execPath, [entry, "cluster", "--kubeconfig", place.kubeconfig], { stdio: ["ignore", "pipe", "pipe"] });
    await listening(sluice).until(/kubectl --kubeconfig/);
  });
  after(() => ended(sluice));
  runsCommands(place);
});

function runsCommands(place: Place): void {
  for (const { run, prints, fails = false } of chosen) {
    test(run, async () => {
      const { code, output } = await kubectlRuns(place, run);
      if (typeof prints === "string") assert.equal(output, prints);
      else assert.match(output, prints);
      assert.equal(code === 0, !fails, `exit code ${code}: ${output}`);
    });
  }
  test("get -w prints every version", () => watches(place));
  test("delete namespace", async () => {
    const { output } = await kubectlRuns(place, `delete namespace ${namespace} --timeout=60s`);
    assert.ok(output.endsWith(`namespace "${namespace}" deleted`), output);
  });
}

async function watches(place: Place): Promise<void> {
  await kubectlRuns(place, "apply -f settings.yaml");
  const watch = spawned(place, "get configmap settings -w -o jsonpath={.data.a}{';'}");
  const output = listening(watch);
  try {
    await output.until(/^1;$/);
    await kubectlRuns(place, "apply -f other.yaml");
    await output.until(/^1;2;$/);
  } finally {
    await ended(watch);
  }
}

/** Splits at blanks: no argument contains one. */
function spawned({ kubeconfig }: Place, command: string): ChildProcess {
  const access = kubeconfig === undefined ? [] : ["--kubeconfig", kubeconfig];
  // kubectl caches discovery below the home directory, where the test must leave nothing.
  const env = kubeconfig === undefined ? process.env : { ...process.env, HOME: folder };
  return spawn(kubectl, ["kubectl", ...access, "-n", namespace, ...command.split(" ")], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env,
  });
}

function kubectlRuns(place: Place, command: string): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawned(place, command);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", (piece: string) => (output += piece));
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, output: output.trim() }));
  });
}

const ignore = () => {};

/** Collects the output of a process, to wait for a part of it. */
function listening(child: ChildProcess): { until(wanted: RegExp): Promise<void> } {
  let text = "";
  let wake = ignore;
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
      wake();
    });
  }
  child.once("close", () => wake());
  return {
    async until(wanted) {
      while (!wanted.test(text)) {
        if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode} after printing ${JSON.stringify(text)}, not ${wanted}`);
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}

async function ended(child: ChildProcess): Promise<void> {
  child.kill("SIGTERM");
  if (child.exitCode === null && child.signalCode === null) await new Promise((resolve) => child.once("exit", resolve));
}
