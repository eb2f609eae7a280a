import assert from "node:assert/strict";
import { test } from "node:test";
import { stringAt } from "../../core/object/index.ts";
import { FleetUnderTest, never, sveltosCluster } from "../../../test/support/fleet-under-test.ts";
import { deregister, embeddedKubeconfig, isClusterReady, readyClusters } from "./index.ts";

test("a registered cluster becomes ready, in its status too", async () => {
  const fixture = await FleetUnderTest.open();
  await fixture.run();
  await fixture.register("c1", { env: "fv" });
  assert.deepEqual(await fixture.events(), ["synced", "added c1", "changed c1", "ready c1"]);
  const { version, ...rest } = (await fixture.status("c1")) as { version: string };
  assert.match(version, /^v1\.\d+\.\d+/);
  assert.deepEqual(rest, { ready: true, connectionStatus: "Healthy", connectionFailures: 0 });
  const object = await fixture.hub.get(sveltosCluster("c1"));
  assert.equal(object.metadata.labels?.["projectsveltos.io/k8s-version"], /^v[\d.]+/.exec(version)?.[0]);
  const [cluster] = readyClusters(fixture.fleet);
  assert.equal((await cluster!.connection!.cluster.list({ group: "", version: "v1", kind: "Namespace" })).items.length > 0, true);
});

test("existing clusters are listed before synced, and an unchanged status is not written", async () => {
  const fixture = await FleetUnderTest.open();
  await fixture.register("c1");
  await fixture.register("c2");
  await fixture.run();
  const events = await fixture.events();
  assert.deepEqual(events.slice(0, 3), ["added c1", "added c2", "synced"]);
  assert.deepEqual(fixture.fleet.clusters().map(isClusterReady), [true, true]);
  const { resourceVersion } = (await fixture.hub.get(sveltosCluster("c1"))).metadata;
  await fixture.events(300_000);
  assert.equal((await fixture.hub.get(sveltosCluster("c1"))).metadata.resourceVersion, resourceVersion);
});

test("a change of labels is an event, and needs no request to the cluster", async () => {
  const fixture = await FleetUnderTest.open();
  await fixture.register("c1", { env: "fv" });
  await fixture.run();
  await fixture.events();
  const before = fixture.probes;
  await fixture.register("c1", { env: "prod" });
  assert.deepEqual(await fixture.events(), ["changed c1"]);
  assert.equal(fixture.fleet.managedClusters()[0]!.labels["env"], "prod");
  assert.equal(fixture.probes, before);
});

test("a deregistered cluster is gone, and its connection is closed", async () => {
  const fixture = await FleetUnderTest.open();
  await fixture.register("c1");
  await fixture.run();
  await fixture.events();
  const { connection } = fixture.fleet.find("Sveltos/mgmt/c1")!;
  assert.equal(await deregister(fixture.hub, { namespace: "mgmt", name: "c1" }, never), true);
  assert.equal((await fixture.events()).at(-1), "gone c1");
  assert.equal(connection!.signal.aborted, true);
  assert.equal(await deregister(fixture.hub, { namespace: "mgmt", name: "c1" }, never), false);
  assert.deepEqual((await fixture.hub.list({ group: "", version: "v1", kind: "Secret" }, { namespace: "mgmt" })).items, []);
});

test("a field that is not built is refused by name, until it is removed", async () => {
  const fixture = await FleetUnderTest.open();
  await fixture.run();
  await fixture.register("c1");
  await fixture.events();
  const paused = (activeWindow: unknown) => fixture.hub.patch(sveltosCluster("c1"), { type: "merge", patch: { spec: { activeWindow } } });
  await paused({ from: "0 8 * * *", to: "0 18 * * *" });
  await fixture.events();
  assert.match(stringAt(await fixture.status("c1"), "failureMessage", ""), /spec\.activeWindow/);
  assert.equal(readyClusters(fixture.fleet).length, 0);
  await paused(null);
  await fixture.events();
  assert.equal(readyClusters(fixture.fleet).length, 1);
});

test("a Cluster of Cluster API is ready when its control plane is initialized, even if its CRD is created later", async () => {
  const fixture = await FleetUnderTest.open();
  await fixture.run();
  const names = { plural: "clusters", singular: "cluster", kind: "Cluster", listKind: "ClusterList" };
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  await fixture.hub.create({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "clusters.cluster.x-k8s.io" },
    spec: { group: "cluster.x-k8s.io", scope: "Namespaced", names, versions: [{ name: "v1beta1", served: true, storage: true, schema }] },
  });
  await fixture.clock.advance(5000);
  const metadata = { name: "prod", namespace: "default", labels: { env: "prod" } };
  const cluster = { apiVersion: "cluster.x-k8s.io/v1beta1", kind: "Cluster", metadata };
  await fixture.hub.create(cluster);
  const value = Buffer.from(embeddedKubeconfig("c3")).toString("base64");
  await fixture.hub.create({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "prod-kubeconfig", namespace: "default" },
    data: { value },
  });
  assert.deepEqual(await fixture.events(), ["synced", "added prod"]);
  await fixture.hub.patch(
    { group: "cluster.x-k8s.io", version: "v1beta1", kind: "Cluster", namespace: "default", name: "prod" },
    { type: "merge", patch: { status: { conditions: [{ type: "ControlPlaneInitialized", status: "True" }] } } },
  );
  assert.deepEqual(await fixture.events(), ["changed prod", "ready prod"]);
  assert.equal(fixture.fleet.find("Capi/default/prod")?.managed.type, "Capi");
});
