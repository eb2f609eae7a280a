import assert from "node:assert/strict";
import { dirname } from "node:path";
import { test } from "node:test";
import { runSluice, serveClusters, testFolder } from "../../../test/support/command-line.ts";

const folder = testFolder("flags");
const { sluice } = await serveClusters(folder);
folder.file("chart/templates/a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n");
const chart = dirname(folder.file("chart/Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.0.0\n"));

const refused: readonly (readonly [flag: string, ...args: readonly string[]])[] = [
  ["--force", "rollback", "web"],
  ["--force-replace", "rollback", "web"],
  ["--recreate-pods", "rollback", "web"],
  ["--cleanup-on-fail", "rollback", "web"],
  ["--revision", "status", "web", "1"],
  ["--with-subcharts", "lint", chart],
  ["--kube-insecure-skip-tls-verify", "lint", chart],
  ["--kube-insecure-skip-tls-verify", "list"],
  ["--kube-insecure-skip-tls-verify", "history", "web"],
  ["--kube-insecure-skip-tls-verify", "status", "web"],
  ["--kube-insecure-skip-tls-verify", "get", "values", "web"],
  ["--kube-insecure-skip-tls-verify", "rollback", "web"],
  ["--kube-insecure-skip-tls-verify", "test", "web"],
  ["--template", "get", "all", "web", "{{.Release.Name}}"],
];
for (const [flag, ...args] of refused)
  test(`${args.join(" ").replace(folder.path, "")} ${flag} is refused with what to do`, async () => {
    const value = flag === "--revision" || flag === "--template" ? [flag, args.at(-1)!] : [flag];
    const { code, err } = await runSluice(...(value.length > 1 ? args.slice(0, -1) : args), ...value);
    assert.equal(code, 2);
    assert.match(err, new RegExp(`^error: ${flag} is not taken: `));
  });

test("what status shows anyway may be asked for", async () => {
  assert.equal((await sluice("install", "web", chart)).code, 0);
  const plain = await sluice("status", "web");
  const { code, out } = await sluice("status", "web", "--show-resources", "--show-desc");
  assert.deepEqual([code, out.split("\n").length], [0, plain.out.split("\n").length]);
  assert.match(out, /configmap\/a/);
});

test("lint --quiet prints warnings and errors alone", async () => {
  assert.match((await runSluice("lint", chart)).out, /icon is recommended/);
  assert.deepEqual(await runSluice("lint", chart, "--quiet"), { code: 0, out: "", err: "" });
  const bad = folder.file("bad.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, annotations: {helm.sh/weight: x}}\ndata: [\n");
  const { code, out, err } = await runSluice("lint", bad, "--quiet");
  assert.equal(code, 1);
  assert.match(out + err, /bad\.yaml/);
});

/** Every one of Helm's commands takes Helm's global flags, whether it asks a cluster or not. */
const globalFlags = ["--debug", "-n", "shop", "--kube-context", "home", "--kubeconfig", "/nowhere", "--burst-limit", "7", "--qps", "3"];

for (const args of [
  ["show", "chart", chart],
  ["dependency", "list", chart],
  ["repo", "list"],
  ["pull", chart, "--destination", folder.path],
])
  test(`${args.join(" ").replaceAll(folder.path, "")} takes the global flags of Helm`, async () => {
    const plain = await runSluice(...args);
    assert.deepEqual(await runSluice(...args, ...globalFlags, "--kube-token", "t", "--kube-insecure-skip-tls-verify"), plain);
    const { code, err } = await runSluice(...args, "--registry-config", "r.json");
    assert.equal(code, 2);
    assert.match(err, /^error: --registry-config is not taken: set HELM_REGISTRY_CONFIG instead/);
  });

test("lint takes the global flags of Helm", async () => {
  const plain = await runSluice("lint", chart);
  assert.deepEqual(await runSluice("lint", chart, "--debug", "-n", "shop", "--qps", "3"), plain);
});
