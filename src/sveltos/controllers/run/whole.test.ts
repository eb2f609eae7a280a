import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { EmbeddedFleet } from "../../../../test/support/embedded-fleet.ts";
import { content, events, left, Replica, service } from "../../../../test/support/whole-controller.ts";
import { gvkOf } from "../../api/index.ts";
import { leaseDurationMs } from "../../../reconcile/index.ts";

const policies = { group: "networking.k8s.io", version: "v1", kind: "NetworkPolicy" };
const deployed = { group: "", version: "v1", kind: "ConfigMap", namespace: "default", name: "deployed" };

async function opened(t: TestContext, type: "Sveltos" | "Capi" = "Sveltos"): Promise<EmbeddedFleet> {
  const lab = await EmbeddedFleet.open({ type, clusters: { c1: { env: "fv" }, c2: { env: "fv" }, c3: {} } });
  t.after(() => lab.close());
  return lab;
}

async function policiesIn(lab: EmbeddedFleet, cluster: string): Promise<readonly string[]> {
  return (await lab.list(policies, lab.managed(cluster))).map(({ metadata }) => metadata.name);
}

for (const type of ["Sveltos", "Capi"] as const) {
  test(`a profile comes to ${type} clusters that match, an event is answered where it happens, and both go again`, async (t) => {
    const lab = await opened(t, type);
    const replica = new Replica(lab, "a");
    await lab.advance(3000);
    assert.deepEqual(replica.monitor.readiness(), { well: true });
    await lab.apply(content);
    await lab.apply(events);
    await lab.apply(service("web"), lab.managed("c1"));
    await lab.apply(service("db"), lab.managed("c1"));
    await lab.apply(service("other"), lab.managed("c3"));
    await lab.advance(5000);
    for (const [cluster, isThere] of [
      ["c1", true],
      ["c2", true],
      ["c3", false],
    ] as const)
      assert.equal((await lab.get(deployed, lab.managed(cluster))) !== undefined, isThere, cluster);
    assert.deepEqual(await policiesIn(lab, "c1"), ["front-db", "front-web"]);
    assert.deepEqual([await policiesIn(lab, "c2"), await policiesIn(lab, "c3")], [[], []]);
    assert.match(replica.monitor.metrics.text(), /^sluice_clusters\{state="ready"\} 3$/m);
    assert.match(replica.monitor.metrics.text(), /^sluice_deploys_total\{.*\} \d+$/m);
    assert.deepEqual(replica.monitor.liveness(), { well: true });
    await lab.until(lab.managed("c1").delete({ group: "", version: "v1", kind: "Service", namespace: "default", name: "db" }));
    await lab.until(lab.hub.delete({ ...gvkOf("ClusterProfile"), namespace: "", name: "it" }));
    await lab.advance(5000);
    assert.deepEqual(await policiesIn(lab, "c1"), ["front-web"]);
    assert.equal(await lab.get(deployed, lab.managed("c1")), undefined);
    lab.written.length = 0;
    await lab.advance(600_000);
    assert.deepEqual(
      lab.written.filter((write) => !write.includes("/leases/")),
      [],
      "a fleet at rest is left alone",
    );
    await left(lab, replica);
  });
}

for (const how of ["stops", "dies"] as const) {
  test(`when one of two replicas ${how}, the other one goes on with everything`, async (t) => {
    const lab = await opened(t);
    const [a, b] = [new Replica(lab, "a"), new Replica(lab, "b")];
    await lab.advance(5000);
    await lab.apply(content);
    await lab.apply(events);
    await lab.apply(service("web"), lab.managed("c1"));
    await lab.advance(5000);
    assert.deepEqual(await policiesIn(lab, "c1"), ["front-web"]);
    const leader = a.monitor.metrics.text().includes("\nsluice_leader 1\n") ? a : b;
    if (how === "stops") await left(lab, leader);
    else leader.isDead = true;
    await lab.apply(service("late"), lab.managed("c2"));
    await lab.apply(service("later"), lab.managed("c1"));
    await lab.advance(how === "stops" ? 2000 : leaseDurationMs + 5000);
    assert.deepEqual(await policiesIn(lab, "c2"), ["front-late"]);
    assert.deepEqual(await policiesIn(lab, "c1"), ["front-later", "front-web"]);
    leader.isDead = false;
    await left(lab, a, b);
  });
}

test("a replica that was cut off from everything leads again, and has missed nothing", async (t) => {
  const lab = await opened(t);
  const replica = new Replica(lab, "a");
  await lab.advance(3000);
  await lab.apply(events);
  await lab.apply(service("web"), lab.managed("c1"));
  await lab.advance(5000);
  replica.isDead = true;
  await lab.advance(2 * leaseDurationMs);
  assert.match(replica.monitor.metrics.text(), /^sluice_leader 0$/m);
  await lab.until(lab.managed("c1").delete({ group: "", version: "v1", kind: "Service", namespace: "default", name: "web" }));
  await lab.apply(service("late"), lab.managed("c2"));
  await lab.apply(content);
  replica.isDead = false;
  await lab.advance(120_000);
  assert.match(replica.monitor.metrics.text(), /^sluice_leader 1$/m);
  assert.deepEqual([await policiesIn(lab, "c1"), await policiesIn(lab, "c2")], [[], ["front-late"]]);
  assert.ok(await lab.get(deployed, lab.managed("c1")));
  assert.deepEqual(replica.monitor.liveness(), { well: true });
  await left(lab, replica);
});
