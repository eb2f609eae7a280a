import assert from "node:assert/strict";
import { dirname } from "node:path";
import { test } from "node:test";
import { serveClusters, testFolder } from "../../../test/support/command-line.ts";
import { openCluster } from "../../kube/index.ts";

const folder = testFolder("namespace");
const { kubeconfig, sluice } = await serveClusters(folder);
const configMap = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n";
const manifest = folder.file("a.yaml", configMap);
folder.file("chart/templates/a.yaml", configMap);
const chart = dirname(folder.file("chart/Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.0.0\n"));

const held = "example.com/hold";
const ref = (kind: string, name: string, namespace = "") => ({ group: "", version: "v1", kind, name, namespace });

/** A namespace that is being deleted, and the function that lets it go. */
async function goingNamespace(name: string) {
  const { cluster, close } = await openCluster({ kubeconfig });
  await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
  const keeper = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "keeper", namespace: name, finalizers: [held] } };
  await cluster.create(keeper);
  await cluster.delete(ref("Namespace", name));
  return {
    async letGo() {
      const { finalizers: _held, ...metadata } = (await cluster.find(ref("ConfigMap", "keeper", name)))!.metadata;
      await cluster.replace({ ...keeper, metadata });
      close();
    },
  };
}

const commands = { deploy: ["deploy", "web", manifest], install: ["install", "web", chart], upgrade: ["upgrade", "-i", "web", chart] };
for (const [name, args] of Object.entries(commands)) {
  test(`${name} --create-namespace waits until the old namespace is gone`, { timeout: 60_000 }, async () => {
    const { letGo } = await goingNamespace(`going-${name}`);
    const running = sluice(...args, "-n", `going-${name}`, "--create-namespace", ...(name === "deploy" ? ["-o", "ndjson"] : []));
    setTimeout(() => void letGo(), 1500);
    const { code, out, err } = await running;
    assert.equal(code, 0, err);
    assert.match(out, /it is to go first, and is then created again: it is being deleted: .*example\.com\/hold in 1 resource instances/);
  });

  test(`${name} without it says what is so, and what to do`, async () => {
    const { letGo } = await goingNamespace(`gone-${name}`);
    const { code, err } = await sluice(...args, "-n", `gone-${name}`);
    assert.equal(code, 1);
    assert.match(
      err,
      new RegExp(`^error: work on release web in gone-${name}: namespace gone-${name} is being deleted: .*--create-namespace waits`),
    );
    await letGo();
  });
}

test("plan says what is so without --create-namespace, and with it shows what comes after the namespace is made anew", async () => {
  const { letGo } = await goingNamespace("planned");
  const refused = await sluice("plan", "web", manifest, "-n", "planned");
  assert.equal(refused.code, 1);
  assert.match(refused.err, /^error: work on release web in planned: namespace planned is being deleted: .*--create-namespace waits/);
  const { code, out, err } = await sluice("plan", "web", manifest, "-n", "planned", "--create-namespace");
  assert.equal(code, 0, err);
  assert.match(out, /create\s+configmap\/a/);
  await letGo();
});

test("the wait ends with the time", async () => {
  const { letGo } = await goingNamespace("slow");
  const { code, err } = await sluice("deploy", "web", manifest, "-n", "slow", "--create-namespace", "--timeout", "1s");
  assert.equal(code, 1);
  assert.match(err, /the time is up: namespace slow is being deleted: /);
  await letGo();
});
