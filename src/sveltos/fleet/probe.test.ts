import assert from "node:assert/strict";
import { test } from "node:test";
import { numberAt, stringAt } from "../../core/object/index.ts";
import { FleetUnderTest, sveltosCluster } from "../../../test/support/fleet-under-test.ts";
import { readyClusters } from "./index.ts";

for (const [failure, firstFailedMs, because] of [
  ["refused", 0, /ECONNREFUSED/],
  ["hanging", 10_000, /no answer within 10 s/],
  [401, 0, /credentials are not accepted/],
] as const) {
  test(`a cluster that is ${failure} is Down 30 s after the first failed probe, stays ready, and is back after the first good one`, async () => {
    const fixture = await FleetUnderTest.open();
    await fixture.register("c1");
    await fixture.register("c2");
    await fixture.run();
    await fixture.events();
    fixture.failures.set("c1", failure);
    fixture.fleet.probeNow("Sveltos/mgmt/c1");
    const [lost] = await fixture.events(firstFailedMs + 1000);
    assert.match(lost!, because);
    assert.partialDeepStrictEqual(await fixture.status("c1"), { connectionStatus: "Healthy", connectionFailures: 1 });
    await fixture.events(29_000);
    assert.partialDeepStrictEqual(await fixture.status("c1"), { ready: true, connectionStatus: "Down", connectionFailures: 3 });
    const { resourceVersion } = (await fixture.hub.get(sveltosCluster("c1"))).metadata;
    await fixture.events(600_000);
    assert.equal((await fixture.hub.get(sveltosCluster("c1"))).metadata.resourceVersion, resourceVersion, "it is not written again");
    assert.deepEqual(
      readyClusters(fixture.fleet).map(({ managed }) => managed.name),
      ["c2"],
    );
    const link = fixture.fleet.find("Sveltos/mgmt/c1")!.connection;
    assert.equal(link!.signal.aborted, false);
    fixture.failures.clear();
    // A probe that hangs already ends by its time limit.
    const events = await fixture.events(firstFailedMs + 5000);
    assert.ok(events.includes("ready c1"), events.join());
    assert.equal(fixture.fleet.find("Sveltos/mgmt/c1")!.connection, link);
    assert.partialDeepStrictEqual(await fixture.status("c1"), { ready: true, connectionStatus: "Healthy", connectionFailures: 0 });
  });
}

test("a cluster that fails in two ways by turns says one of them, until a probe confirms the other", async () => {
  const fixture = await FleetUnderTest.open();
  await fixture.register("c1");
  await fixture.run();
  await fixture.events();
  const messages = new Set<string>();
  for (let turn = 0; turn < 12; turn++) {
    fixture.failures.set("c1", turn % 2 === 0 ? "refused" : 401);
    fixture.fleet.probeNow("Sveltos/mgmt/c1");
    // Well below the time to the next probe.
    await fixture.events(100);
    messages.add(stringAt({ status: await fixture.status("c1") }, "status.failureMessage", ""));
  }
  assert.deepEqual(
    [...messages].map((message) => /ECONNREFUSED/.test(message)),
    [true],
  );
  await fixture.events(20_000);
  assert.match(stringAt({ status: await fixture.status("c1") }, "status.failureMessage", ""), /credentials are not accepted/);
});

test("a cluster that fails without a request to it is noticed by the next probe", async () => {
  const fixture = await FleetUnderTest.open();
  await fixture.register("c1");
  await fixture.run();
  await fixture.events();
  fixture.failures.set("c1", "refused");
  await fixture.events(70_000);
  assert.partialDeepStrictEqual(await fixture.status("c1"), { connectionStatus: "Down" });
});

test("replicas that hand an unreachable cluster on count its failures on", async () => {
  const fixture = await FleetUnderTest.open({ manageAll: false });
  await fixture.register("c1");
  await fixture.run();
  const key = "Sveltos/mgmt/c1";
  const counts: string[] = [];
  for (const seconds of [5, 8, 8, 8]) {
    const owning = new AbortController();
    void fixture.fleet.manage(key, owning.signal);
    await fixture.events(1000);
    fixture.failures.set("c1", "refused");
    fixture.fleet.probeNow(key);
    await fixture.events(seconds * 1000);
    const status = await fixture.status("c1");
    counts.push(`${numberAt(status, "connectionFailures")} ${stringAt(status, "connectionStatus")}`);
    owning.abort();
    await fixture.events();
  }
  assert.deepEqual(counts, ["1 Healthy", "2 Healthy", "3 Down", "3 Down"]);
});
