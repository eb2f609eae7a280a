import assert from "node:assert/strict";
import { chmodSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { testFolder, serveClusters, runSluice } from "../../../test/support/command-line.ts";
import { openCluster } from "../../kube/index.ts";
import { refOf, stringAt } from "../../core/object/index.ts";

const { path: folder, file } = testFolder("plan");
/** Two clusters; what is done `there` is done on the first of them. */
const { kubeconfig, sluice: there } = await serveClusters({ path: folder, file }, "--clusters", "2");

const configMap = (name: string, value: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {value: "${value}"}\n`;
const secret = "---\napiVersion: v1\nkind: Secret\nmetadata: {name: login}\nstringData: {password: hunter22}\n";
const source = (name: string, value: string) => file(`${name}-${value}.yaml`, configMap(name, value));

test("plan shows what would change and in which order, and touches nothing", async () => {
  const yaml = file("shown.yaml", configMap("shown", "1") + secret);
  const { code, out, err } = await there("plan", "shown", yaml);
  assert.equal(code, 0, err);
  assert.match(
    out,
    /^create secret\/login in default\n {2}\+ apiVersion: v1\n {2}\+ data:\n {2}\+ {3}password: \(hidden\)\n {2}\+ kind: Secret\n(?: {2}\+ .*\n)* {2}\+ {3}namespace: default\n\ncreate configmap\/shown in default\n/,
  );
  assert.match(
    out,
    /\ninstall shown in default, revision 1: 2 to apply, 0 to delete, 2 to wait for\nmain\n {2}create secret\/login until ready\n/,
  );
  assert.match((await there("plan", "shown", yaml, "--no-diff")).out, /^install shown in default/);
  assert.match((await there("check", yaml)).out, /configmap\/shown +default +missing/);
});

test("plan says what holds up an object that is being deleted and is to be created again", async () => {
  const { cluster, close } = await openCluster({ kubeconfig, context: "sluice-1" });
  const held = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "fin", namespace: "default", finalizers: ["example.com/hold"] } };
  await cluster.create(held);
  await cluster.delete(refOf(held));
  close();
  const { out } = await there("plan", "held", source("fin", "1"), "--no-diff");
  assert.match(
    out,
    /^ {2}create configmap\/fin until ready, the old one is to go first: being deleted, kept by the finalizers example\.com\/hold$/m,
  );
});

test("plan -o json, mermaid and dot are for programs", async () => {
  const yaml = file("formats.yaml", configMap("formats", "1") + secret);
  const saved = join(folder, "formats.plan");
  const json = await runSluice("plan", "formats", yaml, "--embedded", "-o", "json", "--save", saved);
  const { release, changes } = JSON.parse(json.out) as { release: object; changes: { change: string; diff: string }[] };
  assert.deepEqual(release, { name: "formats", namespace: "default" });
  assert.deepEqual(
    changes.map(({ change }) => change),
    ["created", "created"],
  );
  assert.match(
    (await runSluice("plan", "formats", yaml, "--embedded", "-o", "mermaid")).out,
    /^flowchart TD\n {2}n0\["record pending-install"\]/,
  );
  assert.match((await runSluice("plan", "formats", yaml, "--embedded", "-o", "dot")).out, /^digraph plan \{\n[^]*\n\}$/);
  assert.doesNotMatch(json.out + json.err, /hunter22/);
  assert.match(readFileSync(saved, "utf8"), /hunter22/);
});

test("a saved plan is its owner's alone, also where another file was", async () => {
  const saved = file("private.plan", "something else");
  chmodSync(saved, 0o644);
  const umask = process.umask(0);
  try {
    assert.equal((await runSluice("plan", "private", source("private", "1"), "--embedded", "--save", saved)).code, 0);
  } finally {
    process.umask(umask);
  }
  assert.equal(statSync(saved).mode & 0o777, 0o600);
  assert.match(readFileSync(saved, "utf8"), /"format": "sluice.dev\/plan"/);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith(".new")),
    [],
  );
});

const unwritable: Readonly<Record<string, readonly [string, RegExp]>> = {
  "where there is no folder": [join(folder, "no", "plan"), /^error: save the plan to .*: there is no folder .*no: make it first$/],
  "where a folder is": [folder, /: it is a folder: name a file in it$/],
};

for (const [where, [place, message]] of Object.entries(unwritable)) {
  test(`a plan cannot be saved ${where}`, async () => {
    const { code, err } = await runSluice("plan", "web", source("web", "1"), "--embedded", "--save", place);
    assert.equal(code, 1);
    assert.match(err, message);
  });
}

test("deploy --use-plan does exactly what was saved, once", async () => {
  const saved = join(folder, "used.plan");
  assert.match(
    (await there("plan", "used", source("used", "1"), "--save", saved)).err,
    /^saved: sluice deploy --use-plan .*used\.plan does/,
  );
  const used = await there("deploy", "--use-plan", saved);
  assert.equal(used.code, 0, used.err);
  assert.match(used.out, /deployed: used in default, revision 1$/);
  const again = await there("deploy", "used", "--use-plan", saved);
  assert.equal(again.code, 1);
  assert.match(
    again.err,
    /^error: use the plan for release used in default: it was drawn up for no revision, and the latest is revision 1, deployed/,
  );
});

test("deploy --use-plan refuses what has changed since, and another cluster", async () => {
  const saved = join(folder, "stale.plan");
  assert.equal((await there("deploy", "stale", source("stale", "1"))).code, 0);
  assert.equal((await there("plan", "stale", source("stale", "2"), "--save", saved)).code, 0);
  const elsewhere = await there("deploy", "--use-plan", saved, "--context", "sluice-2");
  assert.equal(elsewhere.code, 1);
  assert.match(elsewhere.err, /it was drawn up for another cluster/);
  const opened = await openCluster({ kubeconfig });
  const ref = { group: "", version: "v1", kind: "ConfigMap", namespace: "default", name: "stale" };
  await opened.cluster.patch(ref, { type: "merge", patch: { data: { more: "x" } } });
  const changed = await there("deploy", "--use-plan", saved);
  assert.equal(changed.code, 1);
  assert.match(changed.err, /since it was drawn up, configmap\/stale was changed: draw up the plan again with sluice plan --save/);
  assert.equal(stringAt(await opened.cluster.get(ref), "data.value"), "1");
  opened.close();
});

test("--detailed-exit-code is 3 when there is something to change", async () => {
  const yaml = source("exit", "1");
  assert.equal((await there("plan", "exit", yaml, "--detailed-exit-code")).code, 3);
  assert.equal((await there("deploy", "exit", yaml)).code, 0);
  const { code, out } = await there("plan", "exit", yaml, "--detailed-exit-code");
  assert.deepEqual([code, out], [0, "unchanged: exit in default, revision 1"]);
});

test("a conflict is found by the plan, with field and owner", async () => {
  const opened = await openCluster({ kubeconfig });
  assert.equal((await there("deploy", "conflict", source("conflict", "1"))).code, 0);
  const taken = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "conflict", namespace: "default" }, data: { value: "x" } };
  await opened.cluster.apply(taken, { manager: "somebody", force: true });
  opened.close();
  const { code, err } = await there("plan", "conflict", source("conflict", "2"));
  assert.equal(code, 1);
  assert.match(err, /configmap\/conflict: \.data\.value belongs to somebody: leave the field out, or take it over with --force-conflicts/);
  assert.match((await there("plan", "conflict", source("conflict", "2"), "--force-conflicts")).out, /- {3}value: x\n {2}\+ {3}value: "2"/);
});

test("drift is something to change with --force-conflicts, as the recipe for a job has it", async () => {
  const opened = await openCluster({ kubeconfig });
  const yaml = source("drift", "1");
  assert.equal((await there("deploy", "drift", yaml)).code, 0);
  const recipe = ["plan", "drift", yaml, "--no-diff", "--detailed-exit-code", "--force-conflicts"];
  assert.equal((await there(...recipe)).code, 0);
  const ref = { group: "", version: "v1", kind: "ConfigMap", namespace: "default", name: "drift" };
  await opened.cluster.patch(ref, { type: "merge", patch: { data: { value: "drifted" } } });
  opened.close();
  assert.equal((await there(...recipe)).code, 3);
});

test("a namespace that does not exist is told once, and how to make it", async () => {
  const yaml = file("nowhere.yaml", ["a", "b", "c"].map((name) => configMap(name, "1")).join("---\n"));
  const { code, err } = await there("plan", "nowhere", yaml, "-n", "nowhere");
  assert.equal(code, 1);
  assert.match(
    err,
    /configmap\/a: there is no namespace nowhere, and 2 more objects are to be in it: make it with --create-namespace, or name another one with -n/,
  );
  assert.equal(err.split("there is no namespace").length, 2);
});

test("a namespace that comes with the release is no hindrance to its plan", async () => {
  const saved = join(folder, "fresh.plan");
  const args = ["plan", "fresh", source("fresh", "1"), "-n", "fresh", "--save", saved];
  assert.match((await there(...args)).err, /there is no namespace fresh/);
  assert.match((await there(...args, "--create-namespace")).out, /^create namespace\/fresh\n[^]*\ncreate configmap\/fresh in fresh\n/);
  assert.match((await there("deploy", "--use-plan", saved)).out, /deployed: fresh in fresh, revision 1$/);
});

const good = join(folder, "good.plan");
before(async () => void (await runSluice("plan", "good", source("good", "1"), "--embedded", "--save", good)));

const wrongUsage: readonly (readonly string[])[] = [
  ["deploy"],
  ["deploy", "web"],
  ["deploy", "web", source("web", "1"), "--use-plan", good],
  ["deploy", "--use-plan"],
  ["deploy", "other", "--use-plan", good, "--embedded"],
  ["deploy", "--use-plan", good, "--embedded", "-n", "other"],
  ...["--no-wait", "--wait=hooks", "--force-conflicts", "--take-ownership", "--delete-data", "--create-namespace"].map((flag) => [
    "deploy",
    "--use-plan",
    good,
    flag,
  ]),
  ["plan"],
  ["plan", "web"],
  ["plan", "web", source("web", "1"), "-o", "yaml"],
];

for (const args of wrongUsage) {
  test(`wrong usage: sluice ${args.join(" ").replaceAll(`${folder}/`, "")}`, async () => {
    const { code, err } = await runSluice(...args);
    assert.equal(code, 2, err);
    assert.match(err, /^error: /);
  });
}

const refused: Readonly<Record<string, readonly [string, RegExp]>> = {
  "a file that is not there": [join(folder, "nothing.plan"), /there is no such file: draw it up with sluice plan --save$/],
  "a folder": [folder, /it is a folder/],
  "a manifest": [source("web", "1"), /web-1\.yaml: it is not a plan that sluice plan --save wrote$/],
};

for (const [what, [place, message]] of Object.entries(refused)) {
  test(`deploy --use-plan refuses ${what}`, async () => {
    const { code, err } = await runSluice("deploy", "--use-plan", place, "--embedded");
    assert.equal(code, 1);
    assert.match(err, message);
    assert.doesNotMatch(err, /internal error/);
  });
}
