import assert from "node:assert/strict";
import { after, test } from "node:test";
import { serveClusters, testFolder } from "../../../test/support/command-line.ts";
import { openCluster } from "../../kube/index.ts";

const folder = testFolder("diff");
const { kubeconfig, sluice } = await serveClusters(folder, "--speed", "20");
const { cluster, close } = await openCluster({ kubeconfig });
after(close);

const settings = (name: string, colour: string) => `apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}-settings}
data: {colour: ${colour}}
---
`;
const login = (name: string, password: string) => `apiVersion: v1
kind: Secret
metadata: {name: ${name}-login}
stringData: {password: ${password}}
---
`;
const app = (name: string, image: string) => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}-app}
spec: {replicas: 1, selector: {matchLabels: {app: ${name}}}, template: {metadata: {labels: {app: ${name}}}, spec: {containers: [{name: c, image: ${image}}]}}}
---
`;
const hook = (name: string, image: string) => `apiVersion: batch/v1
kind: Job
metadata: {name: ${name}-hook, annotations: {helm.sh/hook: "pre-upgrade,pre-rollback,post-install", helm.sh/hook-delete-policy: "before-hook-creation,hook-succeeded"}}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: ${image}}]}}}
---
`;
const once = (name: string) => `apiVersion: batch/v1
kind: Job
metadata: {name: ${name}-once}
spec: {ttlSecondsAfterFinished: 0, template: {spec: {restartPolicy: Never, containers: [{name: c, image: busybox}]}}}
---
`;

const ref = (kind: string, name: string, group = "") => ({ group, version: "v1", kind, namespace: "default", name });

async function deploy(name: string, ...parts: readonly string[]): Promise<void> {
  const { code, err } = await sluice("deploy", name, folder.file(`${name}.yaml`, parts.join("")));
  assert.equal(code, 0, err);
}

test("diff: a release that lives as its record says is no difference, hooks and finished Jobs aside", async () => {
  await deploy("well", settings("well", "red"), login("well", "hunter22"), app("well", "nginx:1"), hook("well", "a"), once("well"));
  await cluster.delete(ref("Job", "well-once", "batch")).catch(() => {});
  await cluster.patch(ref("ConfigMap", "well-settings"), { type: "merge", patch: { data: { more: "of others" } } });
  assert.deepEqual(await sluice("diff", "well", "--detailed-exit-code"), {
    code: 0,
    out: "no difference: revision 1 of well in default and the cluster",
    err: "",
  });
});

test("diff: what was changed and what is gone, from the record to the cluster, with secrets hidden", async () => {
  await deploy("drift", settings("drift", "red"), login("drift", "hunter22"), app("drift", "nginx:1"), settings("drift2", "red"));
  await cluster.patch(ref("ConfigMap", "drift-settings"), { type: "merge", patch: { data: { colour: "pink" } } });
  await cluster.patch(ref("Secret", "drift-login"), { type: "merge", patch: { stringData: { password: "hunter33" } } });
  await cluster.patch(ref("Deployment", "drift-app", "apps"), { type: "merge", patch: { spec: { replicas: 3 } } });
  await cluster.delete(ref("ConfigMap", "drift2-settings"));
  const { code, out } = await sluice("diff", "drift");
  assert.equal(code, 0);
  assert.match(
    out,
    /changed configmap\/drift-settings in default\n {4}apiVersion: v1\n {4}data:\n {2}- {3}colour: red\n {2}\+ {3}colour: pink\n/,
  );
  assert.match(
    out,
    /changed secret\/drift-login in default\n[^]*\n {2}- {3}password: \(hidden\)\n {2}\+ {3}password: \(hidden, changed\)\n/,
  );
  assert.match(out, /\n {2}- {3}replicas: 1\n {2}\+ {3}replicas: 3\n/);
  assert.match(out, /\ngone configmap\/drift2-settings in default: it does not exist\n/);
  assert.match(out, /\nrevision 1 of drift in default and the cluster: 3 changed, 1 gone$/);
  const json = await sluice("diff", "live", "drift", "-o", "json", "--detailed-exitcode");
  assert.equal(json.code, 3);
  assert.doesNotMatch(out + json.out, /hunter|aHVudGVy/);
  const { from, changes } = JSON.parse(json.out) as { from: object; changes: { change: string; because?: string }[] };
  assert.deepEqual(from, { name: "drift", namespace: "default", revision: 1 });
  assert.deepEqual(changes.map(({ change }) => change).toSorted(), ["deleted", "updated", "updated", "updated"]);
  // Nothing was touched.
  assert.equal(await cluster.find(ref("ConfigMap", "drift2-settings")), undefined);
});

test("diff: an object that is being deleted, and one that another release has taken", async () => {
  await deploy("torn", settings("torn", "red"), settings("torn2", "red"));
  await cluster.patch(ref("ConfigMap", "torn-settings"), { type: "merge", patch: { metadata: { finalizers: ["example.com/wait"] } } });
  await cluster.delete(ref("ConfigMap", "torn-settings"));
  const annotations = { "meta.helm.sh/release-name": "thief" };
  await cluster.patch(ref("ConfigMap", "torn2-settings"), { type: "merge", patch: { metadata: { annotations } } });
  const { out } = await sluice("diff", "torn");
  assert.match(out, /^gone configmap\/torn-settings in default: it is being deleted$/m);
  assert.match(
    out,
    /changed configmap\/torn2-settings in default[^]*\n {2}- +meta\.helm\.sh\/release-name: torn\n {2}\+ +meta\.helm\.sh\/release-name: thief\n/,
  );
  await cluster.patch(ref("ConfigMap", "torn-settings"), { type: "merge", patch: { metadata: { finalizers: [] } } });
});

test("diff revision: between two revisions, or one and the latest", async () => {
  await deploy("steps", settings("steps", "red"), login("steps", "hunter22"), settings("leaves", "red"), hook("steps", "a"));
  await deploy("steps", settings("steps", "blue"), login("steps", "hunter33"), settings("comes", "red"), hook("steps", "b"));
  const { code, out } = await sluice("diff", "revision", "steps", "1");
  assert.equal(code, 0);
  assert.match(out, /changed configmap\/steps-settings in default\n[^]*\n {2}- {3}colour: red\n {2}\+ {3}colour: blue\n/);
  assert.match(out, /added configmap\/comes-settings in default\n {2}\+ apiVersion: v1\n/);
  assert.match(out, /\nremoved configmap\/leaves-settings in default\n/);
  assert.match(out, /changed job\/steps-hook in default\n/);
  assert.match(out, /\nrevision 1 and revision 2 of steps in default: 1 added, 3 changed, 1 removed$/);
  assert.doesNotMatch(out, /hunter|aHVudGVy|managed-by/);
  assert.match((await sluice("diff", "revision", "steps", "2", "1", "--no-hooks")).out, /: 1 added, 2 changed, 1 removed$/);
  assert.deepEqual(await sluice("diff", "revision", "steps", "2", "2", "--detailed-exit-code"), {
    code: 0,
    out: "no difference: revision 2 and revision 2 of steps in default",
    err: "",
  });
  assert.equal((await sluice("diff", "revision", "steps", "1", "2", "--detailed-exit-code")).code, 3);
  assert.match((await sluice("diff", "revision", "steps", "7")).err, /there is none of that number: expected one of 1, 2/);
  assert.match(
    (await sluice("diff", "steps", "--revision", "1")).out,
    /revision 1 of steps in default and the cluster: 2 changed, 1 gone$/,
  );
});

test("diff rollback: what it would change, of hooks only what differs in the records", async () => {
  await deploy("undo", settings("undo", "red"), hook("undo", "a"));
  await deploy("undo", settings("undo", "blue"), hook("undo", "a"));
  const { code, out } = await sluice("diff", "rollback", "undo", "--detailed-exit-code");
  assert.equal(code, 3);
  assert.match(out, /^update configmap\/undo-settings in default\n[^]*\n {2}- {3}colour: blue\n {2}\+ {3}colour: red\n/);
  assert.match(out, /\nrollback undo in default \(Rollback to 1\): 1 to update$/);
  assert.deepEqual(await sluice("diff", "rollback", "undo", "2", "--detailed-exit-code"), {
    code: 0,
    out: "no difference: rollback undo in default (Rollback to 2)",
    err: "",
  });
});

test("diff upgrade: what a deploy would change, of a release that is there or not", async () => {
  await deploy("next", settings("next", "red"), hook("next", "a"));
  const source = folder.file("next-2.yaml", settings("next", "blue") + hook("next", "b"));
  const { code, out } = await sluice("diff", "upgrade", "next", source, "--detailed-exitcode");
  assert.equal(code, 3);
  assert.match(out, /update configmap\/next-settings in default\n/);
  assert.match(out, /update job\/next-hook in default\n[^]*\n {2}- +- image: a\n {2}\+ +- image: b\n/);
  assert.match(out, /\nupgrade next in default: 2 to update$/);
  assert.equal(
    (await sluice("diff", "upgrade", "next", source, "--no-hooks")).out.split("\n").at(-1),
    "upgrade next in default: 1 to update",
  );
  assert.deepEqual(await sluice("diff", "upgrade", "next", folder.file("next.yaml", settings("next", "red") + hook("next", "a"))), {
    code: 0,
    out: "no difference: upgrade next in default",
    err: "",
  });
  const fresh = await sluice(
    "diff",
    "upgrade",
    "fresh",
    folder.file("fresh.yaml", settings("fresh", "red")),
    "--install",
    "--allow-unreleased",
  );
  assert.match(fresh.out, /^create configmap\/fresh-settings in default\n[^]*\ninstall fresh in default: 1 to create$/);
});

test("diff release: two releases of the same sources, whatever they are called", async () => {
  const template =
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: '{{ .Release.Name }}-settings'}\ndata: {colour: '{{ .Values.colour }}'}\n";
  folder.file("chart/Chart.yaml", "apiVersion: v2\nname: chart\nversion: 0.1.0\n");
  folder.file("chart/values.yaml", "colour: red\n");
  folder.file("chart/templates/settings.yaml", template);
  folder.file(
    "chart/templates/more.yaml",
    "{{ if .Values.named }}\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: '{{ .Release.Name }}-database'}\n{{ end }}\n",
  );
  const chart = `${folder.path}/chart`;
  for (const short of ["a", "b"]) assert.equal((await sluice("deploy", short, chart, "--set", "named=true")).code, 0);
  assert.deepEqual((await sluice("diff", "release", "a", "b")).out, "no difference: a in default and b in default");
  assert.equal((await sluice("deploy", "staging", chart)).code, 0);
  assert.equal((await sluice("deploy", "production", chart, "-n", "live", "--create-namespace", "--set", "colour=blue")).code, 0);
  const { code, out } = await sluice("diff", "release", "staging", "live/production");
  assert.equal(code, 0);
  assert.equal(
    out,
    `changed configmap/production-settings in live
    apiVersion: v1
    data:
  -   colour: red
  +   colour: blue
    kind: ConfigMap
    metadata:
      name: production-settings
  ...

staging in default and production in live: 1 changed`,
  );
  assert.equal((await sluice("diff", "release", "staging", "nobody")).code, 1);
});

test("diff: a deleted release, a release that is not there, and what cannot be meant", async () => {
  await deploy("former", settings("former", "red"));
  assert.equal((await sluice("delete", "former", "--keep-history")).code, 0);
  assert.match((await sluice("diff", "former")).err, /it has been deleted, and only its history is kept: --revision compares/);
  assert.match((await sluice("diff", "former", "--revision", "1")).out, /1 gone$/);
  assert.equal((await sluice("diff", "nobody")).code, 1);
  assert.equal((await sluice("diff")).code, 2);
  assert.equal((await sluice("diff", "-n", "ops", "revision", "web", "1")).code, 2);
});
