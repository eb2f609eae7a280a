import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { mapAt, numberAt } from "../../../src/core/object/index.ts";
import { EmbeddedFleet } from "../../support/embedded-fleet.ts";
import { kubectl, submitManifests, type KubectlContext } from "./kubectl.ts";
import { kubectlErrorText } from "./kubectl-error-text.ts";

const configMaps = { group: "", version: "v1", kind: "ConfigMap", namespace: "default" };
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";
let fleet: EmbeddedFleet;
let context: KubectlContext;

before(async () => {
  fleet = await EmbeddedFleet.open({ clusters: {} });
  context = { cluster: fleet.hub, folder: ".", dryRun: false };
});
after(() => fleet.close());

function configMap(name: string, data: string, labels = "{}"): string {
  return `{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}, labels: ${labels}}, data: ${data}}`;
}

function sorted(map: Readonly<Record<string, string>>): object {
  return Object.fromEntries(Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

async function textOf(name: string): Promise<string> {
  const found = await fleet.get({ ...configMaps, name });
  return found === undefined ? "gone" : JSON.stringify([sorted(mapAt(found, "data")), sorted(found.metadata.labels ?? {})]);
}

const effects: readonly (readonly [line: string, effect: string])[] = [
  ["kubectl label cm a x=y team-", '[{"k":"1"},{"app":"one","x":"y"}]'],
  ["kubectl label configmap/a -n default app-", '[{"k":"1"},{"team":"t"}]'],
  [`kubectl patch cm a --type=merge -p '{"data":{"k":null,"l":"2"}}'`, '[{"l":"2"},{"app":"one","team":"t"}]'],
  [`kubectl patch cm a -p 'data: {l: "2"}'`, '[{"k":"1","l":"2"},{"app":"one","team":"t"}]'],
  [`kubectl patch cm a --type=json -p '[{"op":"replace","path":"/data/k","value":"3"}]'`, '[{"k":"3"},{"app":"one","team":"t"}]'],
  ["kubectl label cm a app=two --overwrite", '[{"k":"1"},{"app":"two","team":"t"}]'],
  ["kubectl label cm a app=one", '[{"k":"1"},{"app":"one","team":"t"}]'],
  ["kubectl get cm a -o yaml", '[{"k":"1"},{"app":"one","team":"t"}]'],
  ["kubectl delete cm a b", "gone"],
  ["kubectl delete cm/a cm/b", "gone"],
  ["kubectl delete cm -l app=one", "gone"],
  ["kubectl delete cm -l app=other", '[{"k":"1"},{"app":"one","team":"t"}]'],
  [
    "kubectl delete cm missing --ignore-not-found && kubectl create configmap a2 --from-literal=x=1=2",
    '[{"k":"1"},{"app":"one","team":"t"}]',
  ],
];

for (const [line, effect] of effects) {
  test(`${line} has its effect`, async () => {
    await fleet.until(kubectl("kubectl delete cm a b a2 --ignore-not-found", context));
    await fleet.until(submitManifests(configMap("a", '{k: "1"}', "{app: one, team: t}"), "create", context));
    await fleet.until(submitManifests(configMap("b", "{}"), "create", context));
    await fleet.until(kubectl(line, context));
    assert.equal(await textOf("a"), effect);
  });
}

test("apply remembers what was applied, and takes away what is applied no more", async () => {
  await fleet.until(submitManifests(configMap("three-way", '{kept: "1", left: "<&>"}'), "apply", context));
  const text = (await fleet.get({ ...configMaps, name: "three-way" }))?.metadata.annotations?.[lastApplied];
  assert.equal(
    text,
    '{"apiVersion":"v1","data":{"kept":"1","left":"\\u003c\\u0026\\u003e"},"kind":"ConfigMap","metadata":{"annotations":{},"labels":{},"name":"three-way","namespace":"default"}}\n',
  );
  await fleet.until(kubectl(`kubectl patch cm three-way --type=merge -p '{"data":{"foreign":"f"}}'`, context));
  await fleet.until(submitManifests(configMap("three-way", '{kept: "2"}'), "apply", context));
  assert.equal(await textOf("three-way"), '[{"foreign":"f","kept":"2"},{}]');
});

test("files beside a scenario can be applied by the server, and deleted", async () => {
  const beside = { ...context, folder: join(import.meta.dirname, "sample", "01-profile") };
  await fleet.until(kubectl("kubectl apply --server-side -f 1a-mgmt-configmap.yaml", beside));
  assert.notEqual(await textOf("content"), "gone");
  await fleet.until(kubectl("kubectl delete -f 1a-mgmt-configmap.yaml", beside));
  assert.equal(await textOf("content"), "gone");
});

test("scale sets the replicas, and a dry run leaves everything", async () => {
  const template = "{metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: web:1}]}}";
  const spec = `{replicas: 1, selector: {matchLabels: {app: web}}, template: ${template}}`;
  await fleet.until(submitManifests(`{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: ${spec}}`, "apply", context));
  await fleet.until(kubectl("kubectl scale deployment web --replicas=3", context));
  await fleet.until(kubectl("kubectl delete deploy web", { ...context, dryRun: true }));
  const found = await fleet.get({ group: "apps", version: "v1", kind: "Deployment", namespace: "default", name: "web" });
  assert.equal(numberAt(found, "spec.replicas"), 3);
});

test("delete waits for what holds the object, unless --wait is false", async () => {
  const held = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "held", finalizers: ["example.com/held"] } };
  await fleet.until(submitManifests(JSON.stringify(held), "create", context));
  const started = fleet.clock.now();
  await fleet.until(kubectl("kubectl delete cm held --wait=false", context));
  assert.equal(fleet.clock.now(), started);
  const deleting = kubectl("kubectl delete cm held", context);
  await fleet.advance(2000);
  await fleet.until(kubectl(`kubectl patch cm held --type=merge -p '{"metadata":{"finalizers":null}}'`, context));
  await fleet.until(deleting);
  assert.ok(fleet.clock.now() - started < 3000);
});

const refusals: readonly (readonly [line: string, text: string])[] = [
  ["kubectl delete cm missing", 'Error from server (NotFound): configmaps "missing" not found'],
  ["kubectl delete nonsense a", 'error: error: the server doesn\'t have a resource type "nonsense"'],
  [
    "kubectl label ns default kubernetes.io/metadata.name=x",
    "error: 'kubernetes.io/metadata.name' already has a value (default), and --overwrite is false",
  ],
  ["kubectl cordon a", "error: run kubectl cordon: this command is not known"],
];

for (const [line, text] of refusals) {
  test(`${line} is refused`, async () => {
    const answer = await fleet.until(kubectl(line, context).then(() => "", kubectlErrorText));
    assert.equal(answer, text);
  });
}
