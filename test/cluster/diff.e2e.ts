import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { openCluster } from "../../src/kube/index.ts";
import { impersonating } from "./impersonating.ts";
import { environmentVariables } from "./run-end-to-end.ts";
import { makeTemporaryFolder } from "./temporary-folder.ts";
import { runHelmProcess, runSluiceProcess, type ProgramResult } from "./run-program.ts";
import { buildHelm } from "./toolchain.ts";

const kubeconfig = process.env[environmentVariables.kubeconfig] ?? "";
const folder = makeTemporaryFolder();
const namespace = `e2e-diff-${process.pid}`;
const { cluster, close } = await openCluster({ kubeconfig });
const helmProgram = await buildHelm(() => {});

const chart = {
  "Chart.yaml": "apiVersion: v2\nname: tiny\nversion: 1.2.3\n",
  "values.yaml": "colour: red\npassword: hunter22\n",
  "templates/all.yaml": `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-settings
data:
  colour: {{ .Values.colour }}
---
apiVersion: v1
kind: Secret
metadata:
  name: {{ .Release.Name }}-login
stringData:
  password: {{ .Values.password }}
---
apiVersion: v1
kind: Service
metadata:
  name: {{ .Release.Name }}
spec:
  selector: {app: web}
  ports: [{port: 80}]
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}
spec:
  replicas: 0
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: c, image: nginx, resources: {requests: {cpu: 1000m, memory: 0.5Gi}}}]
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-leaves
`,
};

async function helm(command: string): Promise<void> {
  const args = [...command.split(" "), "--kubeconfig", kubeconfig, "-n", namespace];
  const { code, err } = await runHelmProcess(helmProgram, folder, args);
  assert.equal(code, 0, `helm ${command}: ${err}`);
}

function sluice(command: string, config = kubeconfig): Promise<ProgramResult> {
  return runSluiceProcess(config, [...command.split(" "), "-n", namespace]);
}

const at = (kind: string, name: string, group = "") => ({ group, version: "v1", kind, namespace, name });

before(async () => {
  await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  for (const [name, text] of Object.entries(chart)) {
    mkdirSync(dirname(join(folder, "tiny", name)), { recursive: true });
    writeFileSync(join(folder, "tiny", name), text);
  }
});
after(async () => {
  await cluster.delete({ group: "", version: "v1", kind: "Namespace", namespace: "", name: namespace });
  close();
  rmSync(folder, { recursive: true, force: true });
});

for (const how of ["true", "false"]) {
  const name = how === "true" ? "server-side" : "client-side";

  test(`what Helm installed ${name} is no difference, until somebody changes it`, async () => {
    await helm(`install ${name} tiny --server-side=${how}`);
    const none = `no difference: revision 1 of ${name} in ${namespace} and the cluster\n`;
    assert.deepEqual(await sluice(`diff ${name} --detailed-exit-code`), { code: 0, out: none, err: "" });
    await cluster.patch(at("ConfigMap", `${name}-settings`), { type: "merge", patch: { data: { colour: "pink", more: "x" } } });
    await cluster.patch(at("Secret", `${name}-login`), { type: "merge", patch: { stringData: { password: "hunter33" } } });
    await cluster.delete(at("ConfigMap", `${name}-leaves`));
    const { code, out } = await sluice(`diff ${name} --detailed-exit-code`);
    assert.equal(code, 3);
    assert.match(out, /changed configmap\/\S+-settings in .*\n(?: {4}.*\n)* {2}- {3}colour: red\n {2}\+ {3}colour: pink\n {6}more: x\n/);
    assert.match(out, /\n {2}- {3}password: \(hidden\)\n {2}\+ {3}password: \(hidden, changed\)\n/);
    assert.match(out, /\ngone configmap\/\S+-leaves in .*: it does not exist\n/);
    assert.match(out, / and the cluster: 2 changed, 1 gone\n$/);
    assert.doesNotMatch(out, /hunter|aHVudGVy/);
  });

  test(`revisions, rollback and upgrade of what Helm deployed ${name}`, async () => {
    const force = how === "true" ? " --force-conflicts" : "";
    await helm(`upgrade ${name} tiny --set colour=blue --server-side=${how}${force}`);
    assert.match((await sluice(`diff revision ${name} 1`)).out, /: 1 changed\n$/);
    assert.match((await sluice(`diff ${name}`)).out, /^no difference: revision 2 of /);
    const undo = await sluice(`diff rollback ${name} --force-conflicts`);
    assert.match(undo.out, /\n {2}- {3}colour: blue\n {2}\+ {3}colour: red\n/);
    const next = await sluice(`diff upgrade ${name} ${join(folder, "tiny")} --set colour=white --force-conflicts`);
    assert.match(next.out, /\n {2}- {3}colour: blue\n {2}\+ {3}colour: white\n/);
    assert.match(next.out, new RegExp(`\\nupgrade ${name} in ${namespace}: `));
  });
}

test("who may only read compares by the fields of the manifests, and is told so", async () => {
  await helm("install read tiny --set colour=red");
  const rbac = { apiGroup: "rbac.authorization.k8s.io" };
  const rules = [{ apiGroups: ["", "apps"], resources: ["configmaps", "secrets", "services", "deployments"], verbs: ["get", "list"] }];
  await cluster.create({ apiVersion: `${rbac.apiGroup}/v1`, kind: "Role", metadata: { name: "e2e-reader", namespace }, rules });
  await cluster.create({
    apiVersion: `${rbac.apiGroup}/v1`,
    kind: "RoleBinding",
    metadata: { name: "e2e-reader", namespace },
    roleRef: { ...rbac, kind: "Role", name: "e2e-reader" },
    subjects: [{ ...rbac, kind: "User", name: "e2e-reader" }],
  });
  await cluster.patch(at("ConfigMap", "read-settings"), { type: "merge", patch: { data: { colour: "pink" } } });
  const { code, out, err } = await sluice("diff read", impersonating("e2e-reader", kubeconfig, folder));
  assert.equal(code, 0, err);
  assert.match(out, /changed configmap\/read-settings in .*: compared without a dry run: .*cannot patch resource "configmaps"/);
  assert.match(out, /\n {2}- {3}colour: red\n {2}\+ {3}colour: pink\n/);
  assert.doesNotMatch(out, /configmap\/read-leaves|secret\/read-login|service\/read/);
  const stranger = await sluice("diff read", impersonating("e2e-nobody", kubeconfig, folder));
  assert.equal(stranger.code, 1);
});
