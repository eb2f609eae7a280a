import assert from "node:assert/strict";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { openCluster } from "../../src/kube/index.ts";
import { listAt, stringAt, type KubeObject } from "../../src/core/object/index.ts";
import { writeYaml } from "../../src/lang/yaml/index.ts";
import { impersonating } from "./impersonating.ts";
import { environmentVariables } from "./run-end-to-end.ts";
import { makeTemporaryFolder } from "./temporary-folder.ts";
import { runSluiceProcess, type ProgramResult } from "./run-program.ts";

const kubeconfig = process.env[environmentVariables.kubeconfig] ?? "";
const folder = makeTemporaryFolder();
const namespace = `e2e-plan-${process.pid}`;
const { cluster, close } = await openCluster({ kubeconfig });

before(() => cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } }));
after(async () => {
  await cluster.delete({ group: "", version: "v1", kind: "Namespace", namespace: "", name: namespace });
  close();
  rmSync(folder, { recursive: true, force: true });
});

function sluice(command: string, config = kubeconfig): Promise<ProgramResult> {
  return runSluiceProcess(config, [...command.split(" "), "-n", namespace]);
}

async function good(command: string, config?: string): Promise<ProgramResult> {
  const result = await sluice(command, config);
  assert.equal(result.code, 0, `sluice ${command}: ${result.out}${result.err}`);
  return result;
}

async function refused(command: string, message: RegExp, config?: string, expected = 1): Promise<void> {
  const { code, out, err } = await sluice(command, config);
  assert.equal(code, expected, out + err);
  assert.match(err, message);
}

function source(name: string, ...objects: readonly KubeObject[]): string {
  const path = join(folder, name);
  writeFileSync(path, objects.map((object) => `---\n${writeYaml(object)}`).join(""));
  return path;
}

const configMap = (name: string, value: string): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name },
  data: { value },
});
const secret = (name: string, password: string): KubeObject => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name },
  stringData: { password },
});

function deployment(name: string, image: string): KubeObject {
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: "c", image }] } };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name },
    spec: { replicas: 0, selector: { matchLabels: labels }, template },
  };
}

const at = (kind: string, name: string, group = "") => ({ group, version: "v1", kind, namespace, name });

async function valueOf(name: string): Promise<string | undefined> {
  return stringAt(await cluster.find(at("ConfigMap", name)), "data.value");
}

describe("a plan of what is there and what is wanted", () => {
  const first = [configMap("settings", "1"), secret("login", "hunter22"), configMap("leaves", "1"), deployment("app", "nginx:1")];
  const next = [configMap("settings", "2"), secret("login", "hunter33"), configMap("fresh", "1"), deployment("app", "nginx:2")];

  before(() => good(`deploy shown ${source("shown-1.yaml", ...first)} --no-wait`));

  test("shows the server's own dry run, and nothing that only the server writes", async () => {
    const { out, err } = await good(`plan shown ${source("shown-2.yaml", ...next)}`);
    assert.match(out, /^update configmap\/settings in .*\n(?: {4}.*\n)* {2}- {3}value: "1"\n {2}\+ {3}value: "2"$/m);
    assert.match(out, /^update deployment\/app in .*\n[^]*^ {2}- .*image: nginx:1\n {2}\+ .*image: nginx:2$/m);
    assert.match(out, /^update secret\/login in .*\n[^]*^ {2}- {3}password: \(hidden\)\n {2}\+ {3}password: \(hidden, changed\)$/m);
    assert.match(out, /^create configmap\/fresh in/m);
    assert.match(out, /^delete configmap\/leaves in/m);
    assert.doesNotMatch(out, /resourceVersion|generation|managedFields|uid|creationTimestamp|status/);
    const spellings = ["hunter22", "hunter33"].flatMap((text) => [text, Buffer.from(text).toString("base64")]);
    for (const spelling of spellings) assert.ok(!(out + err).includes(spelling), spelling);
    const changed = out.split("\n").filter((line) => /^ {2}[-+]/.test(line) && !line.includes("+ apiVersion"));
    assert.ok(changed.length < 25, changed.join("\n"));
  });

  test("says so when there is nothing to change", async () => {
    assert.match((await good(`plan shown ${join(folder, "shown-1.yaml")} --no-wait --detailed-exit-code`)).out, /^unchanged: shown in/);
    assert.equal((await sluice(`plan shown ${join(folder, "shown-2.yaml")} --detailed-exit-code`)).code, 3);
  });

  test("does not print a secret that the server refuses", async () => {
    const wrong: KubeObject = { apiVersion: "v1", kind: "Secret", metadata: { name: "wrong" }, data: { a: { b: "hunter44" } } };
    const { code, out, err } = await sluice(`plan wrong ${source("wrong.yaml", wrong)}`);
    assert.equal(code, 1);
    assert.match(err, /secret\/wrong: .*\.data\.a/);
    assert.doesNotMatch(out + err, /hunter44/);
  });

  test("touches nothing", async () => {
    assert.equal(await valueOf("settings"), "1");
    assert.equal(await valueOf("fresh"), undefined);
  });
});

test("a saved plan is done once, and to the letter", async () => {
  const plan = join(folder, "used.plan");
  await good(`plan used ${source("used.yaml", configMap("used", "1"), secret("used", "hunter22"))} --save ${plan}`);
  assert.equal(statSync(plan).mode & 0o777, 0o600);
  // A change of the source makes no difference.
  source("used.yaml", configMap("used", "2"));
  await good(`deploy --use-plan ${plan}`);
  assert.equal(await valueOf("used"), "1");
  await refused(`deploy --use-plan ${plan}`, /it was drawn up for no revision, and the latest is revision 1, deployed/);
});

test("rollback and deletion are planned, saved and done as planned", async () => {
  for (const value of ["1", "2"])
    await good(
      `deploy gone ${source("gone.yaml", configMap("gone", value), secret("gone", `hunter${value}`), deployment("gone", "nginx:1"))} --no-wait`,
    );
  const plan = join(folder, "gone.plan");
  const { out } = await good(`plan rollback gone 1 --no-wait --save ${plan}`);
  assert.match(out, /^update configmap\/gone in .*\n(?: {4}.*\n)* {2}- {3}value: "2"\n {2}\+ {3}value: "1"$/m);
  assert.match(out, /^rollback gone in .*, revision 3 \(Rollback to 1\): 2 to apply, 0 to delete/m);
  assert.doesNotMatch(out, /hunter/);
  assert.equal(await valueOf("gone"), "2");
  await refused(`delete --use-plan ${plan}`, /it is for sluice rollback/, kubeconfig, 2);
  await good(`rollback --use-plan ${plan}`);
  assert.equal(await valueOf("gone"), "1");
  await refused(`rollback --use-plan ${plan}`, /it was drawn up for revision 2 as it was, and the latest is revision 3, deployed/);

  assert.match(
    (await good(`plan delete gone --save ${plan}`)).out,
    /: 0 to apply, 3 to delete, 3 to wait for\n[^]*\nrecords\n {2}are deleted last$/m,
  );
  await cluster.patch(at("ConfigMap", "gone"), { type: "merge", patch: { data: { more: "x" } } });
  await refused(`delete --use-plan ${plan}`, /since it was drawn up, configmap\/gone was changed/);
  await good(`plan delete gone --save ${plan}`);
  await good(`delete --use-plan ${plan}`);
  assert.equal(await valueOf("gone"), undefined);
  await refused("history gone", /there is no such release/);
});

describe("what happens between a plan and its use", () => {
  const plan = join(folder, "between.plan");
  const drawnUp = async (value: string, image: string) => {
    await good(
      `plan between ${source("between.yaml", configMap("between", value), deployment("between", image))} --no-wait --save ${plan}`,
    );
  };

  before(() => good(`deploy between ${source("between.yaml", configMap("between", "1"), deployment("between", "nginx:1"))} --no-wait`));

  test("a change of a touched object stands against it", async () => {
    await drawnUp("2", "nginx:1");
    await cluster.patch(at("ConfigMap", "between"), { type: "merge", patch: { data: { more: "x" } } });
    await refused(`deploy --use-plan ${plan}`, /since it was drawn up, configmap\/between was changed: draw up the plan again/);
    assert.equal(await valueOf("between"), "1");
  });

  test("so does its deletion", async () => {
    await drawnUp("2", "nginx:1");
    await cluster.delete(at("ConfigMap", "between"));
    await refused(`deploy --use-plan ${plan}`, /configmap\/between was deleted/);
    await good(`deploy between ${source("between.yaml", configMap("between", "1"), deployment("between", "nginx:1"))} --no-wait`);
  });

  test("so does a field that another manager came to own", async () => {
    await drawnUp("2", "nginx:1");
    const same = { ...configMap("between", "1"), metadata: { name: "between", namespace } };
    await cluster.apply(same, { manager: "somebody" });
    await refused(`deploy --use-plan ${plan}`, /configmap\/between: \.data\.value belongs to somebody now/);
    await cluster.apply({ ...same, data: {} }, { manager: "somebody" });
  });

  test("a change of its status does not", async () => {
    await drawnUp("3", "nginx:2");
    const app = at("Deployment", "between", "apps");
    const status = {
      conditions: [{ type: "Checked", status: "True", lastUpdateTime: "2026-01-01T00:00:00Z", lastTransitionTime: "2026-01-01T00:00:00Z" }],
    };
    await cluster.patch(app, { type: "strategic", patch: { status } }, { subresource: "status" });
    await good(`deploy --use-plan ${plan}`);
    assert.equal(await valueOf("between"), "3");
    assert.equal(stringAt(listAt(await cluster.get(app), "spec.template.spec.containers")[0], "image"), "nginx:2");
  });
});

test("a conflict with another manager is found by the plan, with field and owner", async () => {
  await good(`deploy owned ${source("owned.yaml", configMap("owned", "1"))}`);
  await cluster.apply({ ...configMap("owned", "x"), metadata: { name: "owned", namespace } }, { manager: "somebody", force: true });
  const yaml = source("owned.yaml", configMap("owned", "2"));
  await refused(
    `plan owned ${yaml}`,
    /configmap\/owned: \.data\.value belongs to somebody: leave the field out, or take it over with --force/,
  );
  const plan = join(folder, "owned.plan");
  await good(`plan owned ${yaml} --force-conflicts --save ${plan}`);
  await good(`deploy --use-plan ${plan}`);
  assert.equal(await valueOf("owned"), "2");
});

/** A kubeconfig of the same user, who impersonates another one. */
const actingAs = (user: string) => impersonating(user, kubeconfig, folder);

test("who may not look at kube-system plans by the release's own namespace, and who may look at neither saves nothing", async () => {
  const rules = [
    { apiGroups: ["", "apps", "coordination.k8s.io"], resources: ["configmaps", "secrets", "leases"], verbs: ["*"] },
    { apiGroups: [""], resources: ["namespaces"], verbs: ["get"] },
  ];
  const role = (name: string, some: readonly object[]) => [
    { apiVersion: "rbac.authorization.k8s.io/v1", kind: "Role", metadata: { name, namespace }, rules: some },
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "RoleBinding",
      metadata: { name, namespace },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name }],
    },
  ];
  for (const object of [...role("e2e-planner", rules), ...role("e2e-stranger", rules.slice(0, 1))]) await cluster.create(object);
  const plan = join(folder, "few.plan");
  const yaml = source("few.yaml", configMap("few", "1"));
  await good(`plan few ${yaml} --save ${plan}`, actingAs("e2e-planner"));
  assert.match(readFileSync(plan, "utf8"), new RegExp(`"namespace": "${namespace}",\\s+"uid"`));
  const stranger = actingAs("e2e-stranger");
  await refused(`plan few ${yaml} --save ${plan}`, /neither namespace kube-system nor .* may be read: ask for the right/, stranger);
  await refused(`deploy --use-plan ${plan}`, /which tells one cluster from another, may not be read/, stranger);
  await good(`deploy --use-plan ${plan}`, actingAs("e2e-planner"));
});
