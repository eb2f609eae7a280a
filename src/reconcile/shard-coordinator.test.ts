import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import "../../test/support/fixed-seed.ts";
import { leaseDurationMs, shardOwnerOf } from "./index.ts";
import { ShardScenario } from "../../test/support/shard-replicas.ts";

const keys = ["east", "west", "north", "south", "up", "down"];

test("a key moves only to a new member, or from a removed one", () => {
  const names = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(names, fc.string(), fc.string({ minLength: 1 }), (members, key, extra) => {
      const before = shardOwnerOf(key, members);
      assert.ok(before !== undefined && members.includes(before));
      assert.equal(shardOwnerOf(key, members.toReversed()), before);
      const after = shardOwnerOf(key, [...members.filter((name) => name !== extra), extra]);
      if (!members.includes(extra)) assert.ok(after === before || after === extra);
    }),
  );
  assert.equal(shardOwnerOf("a", []), undefined);
});

test("keys are spread evenly", () => {
  const members = ["a", "b", "c", "d"].map((name) => `sluice.${name}.1`);
  const counts = new Map<string, number>();
  for (let index = 0; index < 4000; index++) {
    const owner = shardOwnerOf(`fleet/cluster-${index}`, members)!;
    counts.set(owner, (counts.get(owner) ?? 0) + 1);
  }
  for (const [member, count] of counts) assert.ok(Math.abs(count - 1000) < 150, `${member} has ${count} of 4000`);
});

test("one replica has everything, two share, and when one leaves the other has everything at once", async () => {
  const world = new ShardScenario(keys);
  const a = world.start("a");
  await world.clock.advance(2000);
  assert.deepEqual(a.owned(), keys.toSorted());
  const b = world.start("b");
  await world.clock.advance(2000);
  assert.deepEqual([...a.owned(), ...b.owned()].toSorted(), keys.toSorted());
  assert.ok(a.owned().length > 0 && b.owned().length > 0);
  a.leave();
  await world.clock.advance(2000);
  assert.deepEqual(b.owned(), keys.toSorted());
  assert.deepEqual(a.owned(), []);
});

test("keys that come later find their owner, keys that go are stopped", async () => {
  const world = new ShardScenario(keys);
  const replicas = [world.start("a"), world.start("b")];
  await world.clock.advance(3000);
  for (const { shards } of replicas) shards.add("late");
  await world.clock.advance(100);
  assert.equal(replicas.filter(({ shards }) => shards.isOwned("late")).length, 1);
  for (const { shards } of replicas) void shards.remove("late");
  await world.clock.advance(100);
  assert.equal(replicas.filter(({ shards }) => shards.isOwned("late")).length, 0);
});

test("a replica that dies is replaced after a lease, and not before it would have stopped by itself", async () => {
  const world = new ShardScenario(keys);
  const [a, b] = [world.start("a"), world.start("b")];
  await world.clock.advance(10_000);
  a.kill();
  const before = b.owned().length;
  await world.clock.advance(11_000);
  assert.equal(b.owned().length, before);
  await world.clock.advance(leaseDurationMs + 1000 - 11_000);
  assert.deepEqual(b.owned(), keys.toSorted());
});

test("work that ends too soon is started again by the same owner, later each time", async () => {
  const world = new ShardScenario(["a"]);
  const replica = world.start("x", { failing: true });
  await world.clock.advance(1500);
  assert.equal(replica.starts, 1);
  await world.clock.advance(3000);
  assert.equal(replica.starts, 3);
  assert.deepEqual(replica.owned(), ["a"]);
});

test("work that does not stop holds up its own key only", async () => {
  const world = new ShardScenario(keys);
  const a = world.start("a", { stubborn: true });
  await world.clock.advance(2000);
  const b = world.start("b");
  await world.clock.advance(5000);
  assert.deepEqual(b.owned(), []);
  a.release();
  await world.clock.advance(1000);
  assert.deepEqual([...a.owned(), ...b.owned()].toSorted(), keys.toSorted());
  assert.ok(b.owned().length > 0);
});

test("a deleted Lease does not lead to two owners", async () => {
  const world = new ShardScenario(keys);
  const a = world.start("a");
  world.start("b");
  await world.clock.advance(3000);
  const lease = a.shards.members().find((name) => name.includes(".a."))!;
  await world.cluster.delete({ group: "coordination.k8s.io", version: "v1", kind: "Lease", namespace: "default", name: lease });
  await world.clock.advance(5000);
  assert.deepEqual(world.owned(), keys.toSorted());
});

test("after an outage that all replicas have noticed, every key has an owner again within seconds", async () => {
  const world = new ShardScenario(keys);
  for (const name of ["a", "b", "c"]) world.plan(name, { comes: 0, what: "mute", at: 10, lasts: 30, skew: 0, lag: 200 });
  await world.clock.advance(39_000);
  assert.deepEqual(world.owned(), []);
  await world.clock.advance(1000 + 5000);
  assert.deepEqual(world.owned(), keys.toSorted());
});

test("a lost Lease is given back only when the work that was begun under it has ended", async () => {
  const world = new ShardScenario(keys);
  const a = world.start("a", { stubborn: true });
  await world.clock.advance(2000);
  const [lease = ""] = a.shards.members();
  a.mute(14_000);
  await world.clock.advance(16_000);
  assert.deepEqual([a.shards.members().length, a.shards.members().includes(lease)], [2, true], "its work may still write");
  a.release();
  await world.clock.advance(1000);
  assert.ok(!a.shards.members().includes(lease));
});

/** What happens to one replica, in seconds. */
type ReplicaFaults = {
  readonly comes: number;
  readonly what: "kill" | "pause" | "cut" | "mute" | "leave" | "none";
  readonly at: number;
  readonly lasts: number;
  readonly skew: number;
  /** How long its requests, answers and watch events take at most, in milliseconds. */
  readonly lag: number;
};

const replicaFaults: fc.Arbitrary<ReplicaFaults> = fc.record({
  comes: fc.nat(20),
  what: fc.constantFrom("kill", "pause", "cut", "mute", "leave", "none"),
  at: fc.integer({ min: 1, max: 60 }),
  lasts: fc.constantFrom(1, 6, 11, 13, 16, 40),
  skew: fc.constantFrom(-7200, 0, 7200),
  lag: fc.constantFrom(50, 200, 2500),
});

/** The duration of one lease, with the slowest possible requests before and after it. */
const boundMs = leaseDurationMs + 6 * 2500;

test("however replicas come, go, stall and are cut off: never two owners, and soon one again", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(replicaFaults, { minLength: 2, maxLength: 4 }), fc.nat(1000), async (allFaults, seed) => {
      const world = new ShardScenario(keys, seed);
      const replicas = allFaults.map((each, index) => world.plan(`r${index}`, each));
      // One replica without faults, so that every key always has an owner.
      replicas.push(world.plan("calm", { comes: 0, what: "none", at: 0, lasts: 0, skew: 0, lag: 50 }));
      let calmSince = world.clock.now();
      for (let tick = 0; tick < 130 * 2; tick++) {
        if (replicas.some((replica) => replica.isDisturbedWithin(500))) calmSince = world.clock.now();
        await world.clock.advance(500);
        world.checkOwners();
        if (world.clock.now() - calmSince > boundMs) assert.deepEqual(world.owned(), keys.toSorted(), `after ${tick / 2} s`);
      }
      assert.deepEqual(world.conflicts, []);
      assert.deepEqual(world.owned(), keys.toSorted());
    }),
    { numRuns: 12 },
  );
});

test("the property would notice two owners", () => {
  const world = new ShardScenario(keys);
  world.began("east", "a", new AbortController().signal, () => true);
  world.began("east", "b", new AbortController().signal, () => true);
  assert.deepEqual(world.conflicts, ["east: a and b"]);
});
