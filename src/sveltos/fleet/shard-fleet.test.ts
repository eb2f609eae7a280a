import assert from "node:assert/strict";
import { test } from "node:test";
import type { WriteGate } from "../../kube/index.ts";
import type { Answer } from "../../core/exchange/index.ts";
import { ShardCoordinator } from "../../reconcile/index.ts";
import { FleetUnderTest, never } from "../../../test/support/fleet-under-test.ts";
import { deregister, Fleet, inProcessOpener, readyClusters, shardFleet } from "./index.ts";

test("in a sharded fleet only the replica that owns a cluster has a connection", async () => {
  const fixture = await FleetUnderTest.open({ manageAll: false });
  for (const name of ["c1", "c2", "c3"]) await fixture.register(name);
  const other = new Fleet(fixture.hub, { open: inProcessOpener(() => fixture.hub), manageAll: false });
  const fleets = [fixture.fleet, other];
  const stop = new AbortController();
  const shards = fleets.map((fleet, index) => {
    const group = { namespace: "default", name: "fleet" };
    return new ShardCoordinator(fixture.hub, { group, identity: `r${index}`, work: (key, signal) => fleet.manage(key, signal) });
  });
  for (const [index, fleet] of fleets.entries()) {
    void fleet.run(stop.signal);
    void shardFleet(fleet, shards[index]!, stop.signal);
  }
  await fixture.clock.advance(5000);
  for (const [index, fleet] of fleets.entries()) {
    const linked = fleet
      .clusters()
      .filter(({ connection }) => connection !== undefined)
      .map(({ key }) => key);
    assert.deepEqual(linked, [...shards[index]!.owned()].toSorted());
  }
  assert.equal(fleets.flatMap(readyClusters).length, 3);
  await deregister(fixture.hub, { namespace: "mgmt", name: "c2" }, never);
  await fixture.clock.advance(1000);
  assert.equal(fleets.flatMap(readyClusters).length, 2);
  assert.equal(shards.flatMap((each) => each.owned()).length, 2);
  stop.abort();
  await fixture.clock.advance(1000);
  assert.equal(fleets.flatMap(readyClusters).length, 0);
});

test("a replica that does not own a cluster any more cannot write to it, at whatever point it wakes up", async () => {
  const fixture = await FleetUnderTest.open({ manageAll: false });
  await fixture.register("c1");
  const gates: WriteGate[] = [];
  const open = inProcessOpener(() => fixture.hub);
  let isOwned = true;
  const fleet = new Fleet(fixture.hub, {
    open(kubeconfig, title, writeGate) {
      if (writeGate !== undefined) gates.push(writeGate);
      return open(kubeconfig, title);
    },
    manageAll: false,
    isOwned: (key) => isOwned && key === "Sveltos/mgmt/c1",
  });
  const stop = new AbortController();
  const ended = fleet.run(stop.signal);
  const handOver = new AbortController();
  let isHandedOver = false;
  void fleet.manage("Sveltos/mgmt/c1", handOver.signal).then(() => (isHandedOver = true));
  await fixture.clock.advance(100);
  const answer = Promise.withResolvers<Answer>();
  const write = gates[0]!.guard(() => answer.promise, fixture.clock);
  const request = { method: "PATCH", path: "/", headers: {}, signal: fixture.stop.signal };
  const writing = write(request);
  isOwned = false;
  await assert.rejects(write(request), /nothing is written to mgmt\/c1 any more: this replica has not renewed its Lease in time/);
  assert.equal(fleet.find("Sveltos/mgmt/c1")!.connection!.signal.aborted, true, "its work ends as one that is not its own any more");
  // The whole replica ends: the fleet closes the connection, and the cluster is handed over meanwhile.
  stop.abort();
  await fixture.clock.advance(100);
  handOver.abort(new Error("it goes to another replica"));
  await fixture.clock.advance(1000);
  assert.equal(isHandedOver, false, "what was sent may still arrive");
  answer.resolve({ status: 200, headers: {}, body: ["{}"] });
  await writing;
  await fixture.clock.advance(0);
  assert.equal(isHandedOver, true);
  await ended;
  fixture.stop.abort();
});
