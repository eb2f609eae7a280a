import assert from "node:assert/strict";
import { dirname } from "node:path";
import { afterEach, test } from "node:test";
import { openCluster } from "../../kube/index.ts";
import { runSluice, serveClusters, testFolder } from "../../../test/support/command-line.ts";

const folder = testFolder("variables");
const { kubeconfig, sluice } = await serveClusters(folder, "--clusters", "2");
const configMap = folder.file("a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n");
folder.file("chart/templates/a.yaml", 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Namespace }}"}\n');
const chart = dirname(folder.file("chart/Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.0.0\n"));

const set = new Set<string>();
afterEach(() => {
  for (const name of set) delete process.env[name];
  set.clear();
});

function given(variables: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(variables)) set.add(name);
  Object.assign(process.env, variables);
}

async function ok(...args: readonly string[]): Promise<string> {
  const { code, out, err } = await sluice(...args);
  assert.equal(code, 0, `${args.join(" ")}: ${err}`);
  return out;
}

const releasesIn = async (...flags: readonly string[]) => (await ok("list", "-A", "--short", ...flags)).split("\n").filter(Boolean);

test("HELM_KUBECONTEXT chooses the cluster of a release, and a flag goes before it", async () => {
  await ok("deploy", "here", configMap);
  given({ HELM_KUBECONTEXT: "sluice-2" });
  assert.deepEqual(await releasesIn(), []);
  await ok("install", "there", chart);
  assert.deepEqual(await releasesIn(), ["there"]);
  assert.deepEqual(await releasesIn("--context", "sluice-1"), ["here"]);
  assert.deepEqual(await releasesIn("--kube-context", "sluice-1"), ["here"]);
  const { code, err } = await sluice("uninstall", "here");
  assert.deepEqual([code, /here/.test(err)], [1, true], err);
  given({ HELM_KUBECONTEXT: "nowhere" });
  assert.match((await sluice("status", "here")).err, /nowhere/);
  given({ HELM_KUBECONTEXT: "" });
  assert.deepEqual(await releasesIn(), ["here"]);
});

test("HELM_NAMESPACE names the namespace of a release, and a flag goes before it", async () => {
  given({ HELM_NAMESPACE: "h18" });
  assert.match(await ok("install", "web", chart, "--create-namespace"), /web in h18, revision 1/);
  assert.equal(await ok("list", "--short"), "web");
  assert.match(await ok("status", "web"), /h18/);
  assert.match(await ok("template", chart), /name: "h18"/);
  assert.match(await ok("template", chart, "-n", "other"), /name: "other"/);
  assert.match(await ok("install", "x", chart, "--dry-run"), /name: "h18"/);
  assert.equal((await sluice("status", "web", "-n", "default")).code, 1);
  assert.match(await ok("diff", "revision", "web", "1"), /^/);
  assert.match(await ok("__complete", "--word=w", "--", "status", "--kubeconfig", kubeconfig), /^web\t/);
  await ok("uninstall", "web");
});

test("a saved plan knows its namespace", async () => {
  const saved = `${folder.path}/plan`;
  const planned = folder.file("planned.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: planned}\n");
  await ok("plan", "planned", planned, "-n", "default", "--save", saved);
  given({ HELM_NAMESPACE: "h18" });
  assert.match(await ok("deploy", "--use-plan", saved), /planned in default, revision 1/);
});

const revisions = async () => (JSON.parse(await ok("history", "kept", "-o", "json")) as unknown[]).length;
const deploy = (text: string, ...flags: readonly string[]) =>
  ok("deploy", "kept", folder.file("b.yaml", `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\ndata: {text: ${text}}\n`), ...flags);

test("HELM_MAX_HISTORY says how many revisions are kept", async () => {
  given({ HELM_MAX_HISTORY: "2" });
  for (const text of ["one", "two", "three"]) await deploy(text);
  assert.equal(await revisions(), 2);
  await deploy("four", "--history-max", "3");
  assert.equal(await revisions(), 3);
  given({ HELM_MAX_HISTORY: "many" });
  const { code, err } = await sluice("deploy", "kept", configMap);
  assert.deepEqual([code, err], [2, 'error: read HELM_MAX_HISTORY: "many": expected a number, or 0 for no limit']);
});

const elsewhere = {
  HELM_KUBEAPISERVER: "https://prod",
  HELM_KUBEASGROUPS: "admins",
  HELM_KUBEASUSER: "jane",
  HELM_KUBECAFILE: "/ca",
  HELM_KUBEINSECURE_SKIP_TLS_VERIFY: "true",
  HELM_KUBETLS_SERVER_NAME: "prod",
  HELM_KUBETOKEN: "secret",
};
for (const [name, value] of Object.entries(elsewhere))
  test(`${name} is refused by name where a release is worked on, and by no other command`, async () => {
    given({ [name]: value });
    for (const args of [["list"], ["uninstall", "x"], ["deploy", "x", configMap], ["diff", "revision", "x", "1"], ["get", "values", "x"]]) {
      const { code, err } = await sluice(...args);
      assert.equal(code, 2, err);
      assert.match(err, new RegExp(`^error: ${name} is set, and is not taken: .*--kubeconfig, and unset ${name}$`));
      assert.doesNotMatch(err, /jane|secret/);
    }
    await ok("apply", configMap);
    await ok("template", chart);
  });

test("what Helm sets for its plugins in any case changes nothing", async () => {
  given({
    HELM_KUBEINSECURE_SKIP_TLS_VERIFY: "false",
    HELM_KUBETOKEN: "",
    HELM_KUBEASGROUPS: "",
    HELM_MAX_HISTORY: "10",
    HELM_KUBECONTEXT: "",
  });
  await ok("list");
});

test("commands that know no release do not read them", async () => {
  given({ HELM_NAMESPACE: "nowhere", HELM_KUBECONTEXT: "nowhere" });
  await ok("apply", configMap);
  await ok("check", configMap);
  assert.match((await runSluice("render", chart)).out, /name: "default"/);
});

/** The kinds of the records of releases: `ConfigMap web.v1`. */
async function recordsOf(name: string): Promise<readonly string[]> {
  const { cluster, close } = await openCluster({ kubeconfig });
  try {
    const lists = await Promise.all(
      ["Secret", "ConfigMap"].map((kind) => cluster.list({ group: "", version: "v1", kind }, { labelSelector: `owner=helm,name=${name}` })),
    );
    return lists.flatMap(({ items }) => items.map(({ kind, metadata }) => `${kind} ${metadata.name}`));
  } finally {
    close();
  }
}

for (const driver of ["configmap", "configmaps"])
  test(`HELM_DRIVER=${driver} has a new release recorded in ConfigMaps`, async () => {
    given({ HELM_DRIVER: driver });
    await ok("install", `by-${driver}`, chart, "-n", driver, "--create-namespace");
    await ok("upgrade", `by-${driver}`, chart, "-n", driver, "--description", "again", "-l", "a=b");
    const name = `ConfigMap sh.helm.release.v1.by-${driver}`;
    assert.deepEqual(await recordsOf(`by-${driver}`), [`${name}.v1`, `${name}.v2`]);
  });

test("a saved plan records a new release where HELM_DRIVER said", async () => {
  given({ HELM_DRIVER: "configmap" });
  const file = folder.file("saved.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: saved}\n");
  await ok("plan", "saved", file, "--save", `${folder.path}/saved`);
  await ok("deploy", "--use-plan", `${folder.path}/saved`);
  assert.deepEqual(await recordsOf("saved"), ["ConfigMap sh.helm.release.v1.saved.v1"]);
});

test("a release goes on where its records are, and a warning says so", async () => {
  await ok("install", "stays", chart, "-n", "stays", "--create-namespace");
  given({ HELM_DRIVER: "configmap" });
  const { code, err } = await sluice("upgrade", "stays", chart, "-n", "stays", "-l", "a=b");
  assert.equal(code, 0);
  assert.match(
    err,
    /warning: the records of stays in stays are Secrets and stay so, though ConfigMaps are asked for: .*HELM_DRIVER=secret/,
  );
  const name = "Secret sh.helm.release.v1.stays";
  assert.deepEqual(await recordsOf("stays"), [`${name}.v1`, `${name}.v2`]);
});

for (const driver of ["sql", "memory", "toString"])
  test(`HELM_DRIVER=${driver} is refused by name`, async () => {
    given({ HELM_DRIVER: driver });
    for (const args of [["list"], ["install", "x", chart]]) {
      const { code, err } = await sluice(...args);
      assert.equal(code, 2);
      assert.match(err, new RegExp(`^error: HELM_DRIVER is "${driver}", and is not taken: .*secret or configmap`));
    }
  });
