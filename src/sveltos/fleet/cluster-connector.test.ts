import assert from "node:assert/strict";
import { test } from "node:test";
import { stringAt, type KubeObject } from "../../core/object/index.ts";
import { FleetUnderTest } from "../../../test/support/fleet-under-test.ts";
import { embeddedKubeconfig, readyClusters } from "./index.ts";

const garbage: Readonly<Record<string, readonly [kubeconfig: string, because: RegExp]>> = {
  "is garbage": ["::: no yaml [", /c1/],
  "leads nowhere": [embeddedKubeconfig("nowhere"), /leads to embedded:\/\/nowhere, which is not here/],
  "has no cluster": ["kind: Config", /leads to no server/],
};

for (const [what, [kubeconfig, because]] of Object.entries(garbage)) {
  test(`a kubeconfig that ${what} is reported in the status and does not delay other clusters; a new one is used at once`, async () => {
    const fixture = await FleetUnderTest.open();
    await fixture.run();
    await fixture.register("c1", {}, kubeconfig);
    await fixture.register("c2");
    await fixture.events();
    assert.deepEqual(
      readyClusters(fixture.fleet).map(({ managed }) => managed.name),
      ["c2"],
    );
    const message = stringAt(await fixture.status("c1"), "failureMessage", "");
    assert.match(message, because);
    await fixture.register("c1");
    await fixture.events();
    assert.equal(readyClusters(fixture.fleet).length, 2);
    assert.equal(stringAt(await fixture.status("c1"), "failureMessage"), undefined);
  });
}

test("a missing Secret is used as soon as it is created", async () => {
  const fixture = await FleetUnderTest.open();
  await fixture.run();
  await fixture.register("c1");
  await fixture.events();
  await fixture.hub.delete({ group: "", version: "v1", kind: "Secret", namespace: "mgmt", name: "c1-sveltos-kubeconfig" });
  const events = await fixture.events();
  assert.deepEqual(events, ["lost c1: there is no Secret mgmt/c1-sveltos-kubeconfig: create it with the cluster's kubeconfig"]);
  await fixture.register("c1");
  assert.deepEqual(await fixture.events(), ["ready c1"]);
});

const secret = (name: string, key: string): KubeObject => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name, namespace: "default" },
  data: { [key]: Buffer.from(embeddedKubeconfig("c1")).toString("base64"), zzz: "" },
});
const cluster = (name: string, spec: object): KubeObject => ({
  apiVersion: "lib.projectsveltos.io/v1beta1",
  kind: "SveltosCluster",
  metadata: { name, namespace: "default" },
  spec,
});

test("a Secret under another name and key, and one with its first key", async () => {
  const fixture = await FleetUnderTest.open();
  await fixture.run();
  await fixture.hub.create(secret("mine", "value"));
  await fixture.hub.create(cluster("named", { kubeconfigName: "mine", kubeconfigKeyName: "value" }));
  await fixture.hub.create(secret("first-sveltos-kubeconfig", "any"));
  await fixture.hub.create(cluster("first", {}));
  await fixture.hub.create(cluster("lacks", { kubeconfigName: "mine", kubeconfigKeyName: "other" }));
  await fixture.events();
  assert.deepEqual(
    readyClusters(fixture.fleet).map(({ managed }) => managed.name),
    ["first", "named"],
  );
  const lacks = fixture.fleet.find("Sveltos/default/lacks")!;
  assert.equal(lacks.reachability.state === "unreachable" && lacks.reachability.because, "Secret default/mine has no key other");
});

test("the kubeconfig of another cluster opens another connection and closes the old one", async () => {
  const fixture = await FleetUnderTest.open();
  await fixture.register("c1");
  await fixture.run();
  await fixture.events();
  const { connection } = fixture.fleet.find("Sveltos/mgmt/c1")!;
  await fixture.register("c1", {}, embeddedKubeconfig("c2"));
  assert.deepEqual(await fixture.events(), ["ready c1"]);
  assert.equal(connection!.signal.aborted, true);
  assert.notEqual(fixture.fleet.find("Sveltos/mgmt/c1")!.connection, connection);
});
