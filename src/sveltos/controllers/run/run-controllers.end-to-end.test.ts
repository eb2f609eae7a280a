import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { EmbeddedFleet } from "../../../../test/support/embedded-fleet.ts";
import { profileYaml, eventAddonYaml, stopReplicas, ControllerReplica, serviceYaml } from "../../../../test/support/controller-replica.ts";
import { gvkOf } from "../../api/index.ts";
import { leaseDurationMs } from "../../../reconcile/index.ts";

const policies = { group: "networking.k8s.io", version: "v1", kind: "NetworkPolicy" };
const deployed = { group: "", version: "v1", kind: "ConfigMap", namespace: "default", name: "deployed" };

async function opened(t: TestContext, type: "Sveltos" | "Capi" = "Sveltos"): Promise<EmbeddedFleet> {
  const fixture = await EmbeddedFleet.open({ type, clusters: { c1: { env: "fv" }, c2: { env: "fv" }, c3: {} } });
  t.after(() => fixture.close());
  return fixture;
}

async function policiesIn(fixture: EmbeddedFleet, cluster: string): Promise<readonly string[]> {
  return (await fixture.list(policies, fixture.managed(cluster))).map(({ metadata }) => metadata.name);
}

for (const type of ["Sveltos", "Capi"] as const) {
  test(`a profile is deployed to matching ${type} clusters, an event is handled, and both are withdrawn`, async (t) => {
    const fixture = await opened(t, type);
    const replica = new ControllerReplica(fixture, "a");
    await fixture.advance(3000);
    assert.deepEqual(replica.monitor.readiness(), { well: true });
    await fixture.apply(profileYaml);
    await fixture.apply(eventAddonYaml);
    await fixture.apply(serviceYaml("web"), fixture.managed("c1"));
    await fixture.apply(serviceYaml("db"), fixture.managed("c1"));
    await fixture.apply(serviceYaml("other"), fixture.managed("c3"));
    await fixture.advance(5000);
    for (const [cluster, isThere] of [
      ["c1", true],
      ["c2", true],
      ["c3", false],
    ] as const)
      assert.equal((await fixture.get(deployed, fixture.managed(cluster))) !== undefined, isThere, cluster);
    assert.deepEqual(await policiesIn(fixture, "c1"), ["front-db", "front-web"]);
    assert.deepEqual([await policiesIn(fixture, "c2"), await policiesIn(fixture, "c3")], [[], []]);
    assert.match(replica.monitor.metrics.text(), /^sluice_clusters\{state="ready"\} 3$/m);
    assert.match(replica.monitor.metrics.text(), /^sluice_deploys_total\{.*\} \d+$/m);
    assert.deepEqual(replica.monitor.liveness(), { well: true });
    await fixture.until(fixture.managed("c1").delete({ group: "", version: "v1", kind: "Service", namespace: "default", name: "db" }));
    await fixture.until(fixture.hub.delete({ ...gvkOf("ClusterProfile"), namespace: "", name: "it" }));
    await fixture.advance(5000);
    assert.deepEqual(await policiesIn(fixture, "c1"), ["front-web"]);
    assert.equal(await fixture.get(deployed, fixture.managed("c1")), undefined);
    fixture.written.length = 0;
    await fixture.advance(600_000);
    assert.deepEqual(
      fixture.written.filter((write) => !write.includes("/leases/")),
      [],
      "a fleet at rest is left alone",
    );
    await stopReplicas(fixture, replica);
  });
}

for (const how of ["stops", "dies"] as const) {
  test(`when one of two replicas ${how}, the other one takes over everything`, async (t) => {
    const fixture = await opened(t);
    const [a, b] = [new ControllerReplica(fixture, "a"), new ControllerReplica(fixture, "b")];
    await fixture.advance(5000);
    await fixture.apply(profileYaml);
    await fixture.apply(eventAddonYaml);
    await fixture.apply(serviceYaml("web"), fixture.managed("c1"));
    await fixture.advance(5000);
    assert.deepEqual(await policiesIn(fixture, "c1"), ["front-web"]);
    const leader = a.monitor.metrics.text().includes("\nsluice_leader 1\n") ? a : b;
    if (how === "stops") await stopReplicas(fixture, leader);
    else leader.isDead = true;
    await fixture.apply(serviceYaml("late"), fixture.managed("c2"));
    await fixture.apply(serviceYaml("later"), fixture.managed("c1"));
    await fixture.advance(how === "stops" ? 2000 : leaseDurationMs + 5000);
    assert.deepEqual(await policiesIn(fixture, "c2"), ["front-late"]);
    assert.deepEqual(await policiesIn(fixture, "c1"), ["front-later", "front-web"]);
    leader.isDead = false;
    await stopReplicas(fixture, a, b);
  });
}

test("a replica that was cut off leads again, and has missed nothing", async (t) => {
  const fixture = await opened(t);
  const replica = new ControllerReplica(fixture, "a");
  await fixture.advance(3000);
  await fixture.apply(eventAddonYaml);
  await fixture.apply(serviceYaml("web"), fixture.managed("c1"));
  await fixture.advance(5000);
  replica.isDead = true;
  await fixture.advance(2 * leaseDurationMs);
  assert.match(replica.monitor.metrics.text(), /^sluice_leader 0$/m);
  await fixture.until(fixture.managed("c1").delete({ group: "", version: "v1", kind: "Service", namespace: "default", name: "web" }));
  await fixture.apply(serviceYaml("late"), fixture.managed("c2"));
  await fixture.apply(profileYaml);
  replica.isDead = false;
  await fixture.advance(120_000);
  assert.match(replica.monitor.metrics.text(), /^sluice_leader 1$/m);
  assert.deepEqual([await policiesIn(fixture, "c1"), await policiesIn(fixture, "c2")], [[], ["front-late"]]);
  assert.ok(await fixture.get(deployed, fixture.managed("c1")));
  assert.deepEqual(replica.monitor.liveness(), { well: true });
  await stopReplicas(fixture, replica);
});
