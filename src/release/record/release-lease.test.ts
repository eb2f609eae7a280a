import assert from "node:assert/strict";
import { test } from "node:test";
import { sleep, VirtualClock, type Clock } from "../../core/clock/index.ts";
import type { Exchange } from "../../core/exchange/index.ts";
import { connect, type Cluster } from "../../kube/index.ts";
import { numberAt, stringAt, type KubeObject } from "../../core/object/index.ts";
import { startEmbeddedCluster } from "../../embedded/index.ts";
import { acquireReleaseLease, leaseNameOf, type AcquireLeaseOptions, type HeldLease } from "./index.ts";

const web = { name: "web", namespace: "default" };
const never = new AbortController().signal;
const leaseRef = { group: "coordination.k8s.io", version: "v1", kind: "Lease", namespace: "default", name: leaseNameOf(web) };

type Lab = { readonly clock: VirtualClock; readonly exchange: Exchange; readonly cluster: Cluster };

function lab(): Lab {
  const clock = new VirtualClock();
  const { exchange } = startEmbeddedCluster({ clock });
  return { clock, exchange, cluster: connect(exchange, { clock }) };
}

/** A deploy: the holders that it waited for, and its lease. */
type Deployer = { readonly waits: string[]; readonly held: Promise<HeldLease>; hold: HeldLease | undefined };

function deployer(cluster: Cluster, identity: string, options: Partial<AcquireLeaseOptions> = {}): Deployer {
  const waits: string[] = [];
  const work = async () => {
    const waiting = acquireReleaseLease(cluster, web, { identity, signal: never, ...options });
    for (;;) {
      const { done, value } = await waiting.next();
      if (done) return (self.hold = value);
      waits.push(value.because.split(" is at work")[0]!);
    }
  };
  const self: Deployer = { waits, held: Promise.resolve().then(work), hold: undefined };
  self.held.catch(() => undefined); // looked at where it matters
  return self;
}

const has = ({ hold }: Deployer) => hold?.isHeld() === true;

const hanging = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));

/** The connection of a process that can be killed: from then on no request gets through. */
function mortal({ exchange, clock }: Lab, itsClock: Clock = clock): { readonly cluster: Cluster; kill(): void; revive(): void } {
  let alive = true;
  const reach: Exchange = (request) => (alive ? exchange(request) : hanging(request.signal));
  return { cluster: connect(reach, { clock: itsClock }), kill: () => (alive = false), revive: () => (alive = true) };
}

async function leaseIn({ cluster }: Lab): Promise<KubeObject | undefined> {
  return cluster.find(leaseRef);
}

const holderIn = async (at: Lab) => stringAt(await leaseIn(at), "spec.holderIdentity");

test("the lease is taken, and is gone when it is released", async () => {
  const at = lab();
  const hold = await at.clock.until(deployer(at.cluster, "a").held);
  const lease = await leaseIn(at);
  assert.deepEqual(lease?.["spec"], {
    holderIdentity: "a",
    leaseDurationSeconds: 15,
    acquireTime: "2030-01-01T00:00:00.000000Z",
    renewTime: "2030-01-01T00:00:00.000000Z",
    leaseTransitions: 0,
  });
  assert.ok(hold.isHeld());
  await hold.release();
  assert.equal(await leaseIn(at), undefined);
  assert.ok(!hold.isHeld() && !hold.lost.aborted);
  await hold.release();
});

test("of many that race one holds it at a time, and each gets it", async () => {
  const at = lab();
  const names = ["a", "b", "c", "d"];
  const order: string[] = [];
  const work = names.map(async (name) => {
    const hold = await deployer(at.cluster, name).held;
    assert.equal(await holderIn(at), name);
    order.push(`${name}+`);
    await new Promise<void>((resolve) => at.clock.after(20_000, resolve));
    assert.equal(await holderIn(at), name);
    order.push(`${name}-`);
    await hold.release();
  });
  await at.clock.until(Promise.all(work));
  for (let index = 0; index < order.length; index += 2) assert.equal(order[index]?.replace("+", "-"), order[index + 1]);
  assert.deepEqual(order.map((each) => each[0]).toSorted(), ["a", "a", "b", "b", "c", "c", "d", "d"]);
});

test("a waiter learns the holder once, and gets the lease as soon as it is free", async () => {
  const at = lab();
  const hold = await at.clock.until(deployer(at.cluster, "alice on laptop").held);
  const second = deployer(at.cluster, "bob");
  await at.clock.advance(60_000);
  assert.deepEqual(second.waits, ["alice on laptop"]);
  assert.ok(!has(second));
  const before = at.clock.now();
  await hold.release();
  await at.clock.advance(0);
  assert.ok(has(second));
  assert.equal(at.clock.now(), before);
});

test("it is renewed for as long as it is held", async () => {
  const at = lab();
  const hold = await at.clock.until(deployer(at.cluster, "a").held);
  await at.clock.advance(3_600_000);
  assert.ok(hold.isHeld());
  const lease = await leaseIn(at);
  assert.equal(stringAt(lease, "spec.acquireTime"), "2030-01-01T00:00:00.000000Z");
  assert.equal(stringAt(lease, "spec.renewTime"), "2030-01-01T01:00:00.000000Z");
});

test("a dead holder's lease is taken over when it expires, and the dead one, come back, learns it", async () => {
  const at = lab();
  const first = mortal(at);
  const dead = await at.clock.until(deployer(first.cluster, "dead").held);
  await at.clock.advance(12_000);
  first.kill();
  const second = deployer(at.cluster, "heir");
  await at.clock.advance(14_000);
  assert.ok(!has(second));
  assert.ok(!dead.isHeld(), "it knows before another one may take it");
  await at.clock.advance(1_000);
  assert.ok(has(second));
  assert.equal(await holderIn(at), "heir");
  assert.ok(!dead.isHeld());
  assert.ok(!dead.lost.aborted);
  first.revive();
  await at.clock.advance(5_000);
  assert.match(String(dead.lost.reason), /lost the lease of release web in default: it was taken over by heir/);
  assert.equal(numberAt(await leaseIn(at), "spec.leaseTransitions"), 1);
});

test("a holder whom nobody else has followed holds it again after any outage, and its writes have waited for that", async () => {
  const at = lab();
  const first = mortal(at);
  const hold = await at.clock.until(deployer(first.cluster, "a").held);
  const written: number[] = [];
  const write = (signal: AbortSignal) => first.cluster.find(leaseRef, { signal }).then(() => void written.push(at.clock.now()));
  first.kill();
  const underWay = hold.whileHeld(write, never);
  await at.clock.advance(60_000);
  const late = hold.whileHeld(write, never);
  const stop = new AbortController();
  const stopped = assert.rejects(hold.whileHeld(write, stop.signal), { message: "interrupted" });
  stop.abort(new Error("interrupted"));
  await stopped;
  assert.ok(!hold.isHeld() && !hold.lost.aborted);
  first.revive();
  await at.clock.advance(6_000);
  await Promise.all([underWay, late]);
  assert.ok(hold.isHeld());
  assert.equal(written.length, 2);
  assert.equal(numberAt(await leaseIn(at), "spec.leaseTransitions"), 0);
  await hold.release();
  assert.equal(await leaseIn(at), undefined);
});

test("a lease that another has held and released during an outage is lost, and so is every write that waits", async () => {
  const at = lab();
  const first = mortal(at);
  const hold = await at.clock.until(deployer(first.cluster, "a").held);
  first.kill();
  const second = deployer(at.cluster, "b");
  await at.clock.advance(20_000);
  const waiting = assert.rejects(
    hold.whileHeld(() => assert.fail("it was sent"), never),
    /it was taken over by somebody who has ended/,
  );
  await second.hold?.release();
  first.revive();
  await at.clock.advance(6_000);
  await waiting;
  assert.equal(await leaseIn(at), undefined);
});

test("a holder that is known to have died is not waited for", async () => {
  const at = lab();
  const first = mortal(at);
  await at.clock.until(deployer(first.cluster, "host/1").held);
  first.kill();
  const second = deployer(at.cluster, "host/2", { hasDied: (holder) => holder === "host/1" });
  await at.clock.advance(0);
  assert.ok(has(second));
  assert.deepEqual(second.waits, []);
});

test("one identity, used twice, does not let two in", async () => {
  const at = lab();
  await at.clock.until(deployer(at.cluster, "a").held);
  const second = deployer(at.cluster, "a");
  await at.clock.advance(60_000);
  assert.ok(!has(second));
});

for (const skewMs of [-3_600_000, 3_600_000]) {
  test(`a living holder whose clock is off by ${skewMs / 1000} s keeps it`, async () => {
    const at = lab();
    const skewed: Clock = { now: () => at.clock.now() + skewMs, after: (ms, fire, options) => at.clock.after(ms, fire, options) };
    const first = mortal(at, skewed);
    const hold = await at.clock.until(deployer(first.cluster, "skewed").held);
    const second = deployer(at.cluster, "patient");
    await at.clock.advance(300_000);
    assert.ok(hold.isHeld());
    assert.ok(!has(second));
    first.kill();
    await at.clock.advance(20_000);
    assert.ok(has(second));
  });
}

test("a holder whose lease is taken by force learns by whom, and does not take it back", async () => {
  const at = lab();
  const hold = await at.clock.until(deployer(at.cluster, "a").held);
  await at.cluster.patch(leaseRef, { type: "merge", patch: { spec: { holderIdentity: "thief" } } });
  await at.clock.advance(6_000);
  assert.match(String(hold.lost.reason), /lost the lease of release web in default: it was taken over by thief/);
  await hold.release();
  assert.equal(await holderIn(at), "thief");
});

test("releasing a lost lease does not affect its new holder", async () => {
  const at = lab();
  const hold = await at.clock.until(deployer(at.cluster, "a").held);
  await at.cluster.patch(leaseRef, { type: "merge", patch: { spec: { holderIdentity: "heir" } } });
  await hold.release();
  assert.equal(await holderIn(at), "heir");
});

test("a competitor's event that arrives before the conflict is not waited for again", async () => {
  const at = lab();
  const first = mortal(at);
  await at.clock.until(deployer(first.cluster, "dead").held);
  first.kill();
  const slow = connect(
    async (request) => {
      if (request.method === "PUT") await sleep(at.clock, 1_000);
      return at.exchange(request);
    },
    { clock: at.clock },
  );
  const rival = mortal(at);
  const [patient, quick] = [deployer(slow, "patient"), deployer(rival.cluster, "quick")];
  await at.clock.advance(15_500);
  assert.ok(has(quick));
  rival.kill();
  await at.clock.advance(20_000);
  assert.ok(has(patient));
  assert.deepEqual(patient.waits, ["dead", "quick"]);
});

test("a lease that is labelled or deleted by others is kept", async () => {
  const at = lab();
  const hold = await at.clock.until(deployer(at.cluster, "a").held);
  await at.cluster.patch(leaseRef, { type: "merge", patch: { metadata: { labels: { seen: "yes" } } } });
  await at.clock.advance(30_000);
  assert.ok(hold.isHeld());
  await at.cluster.delete(leaseRef);
  await at.clock.advance(30_000);
  assert.ok(hold.isHeld());
  assert.equal(await holderIn(at), "a");
});

test("it outlives its namespace: it cannot be acquired there", async () => {
  const at = lab();
  const shop = { name: "web", namespace: "shop" };
  await at.cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } });
  const { value: hold } = await at.clock.until(acquireReleaseLease(at.cluster, shop, { identity: "a", signal: never }).next());
  assert.ok(hold !== undefined && "release" in hold);
  await at.cluster.delete({ group: "", version: "v1", kind: "Namespace", namespace: "", name: "shop" });
  await at.clock.advance(60_000);
  assert.ok(hold.isHeld());
  await hold.release();
});

test("trouble is survived, however long", async () => {
  const at = lab();
  let down = false;
  const shaky = connect((request) => (down ? Promise.resolve({ status: 500, headers: {}, body: nothing() }) : at.exchange(request)), {
    clock: at.clock,
  });
  const hold = await at.clock.until(deployer(shaky, "a").held);
  await at.clock.advance(4_000);
  down = true;
  await at.clock.advance(5_000);
  down = false;
  await at.clock.advance(60_000);
  assert.ok(hold.isHeld());
  down = true;
  await at.clock.advance(16_000);
  assert.ok(!hold.isHeld() && !hold.lost.aborted);
  down = false;
  await at.clock.advance(2_000);
  assert.ok(hold.isHeld());
});

async function* nothing(): AsyncGenerator<Uint8Array> {}

test("a cancelled wait ends at once, and leaves no trace", async () => {
  const at = lab();
  const hold = await at.clock.until(deployer(at.cluster, "a").held);
  const stop = new AbortController();
  const second = deployer(at.cluster, "b", { signal: stop.signal });
  await at.clock.advance(5_000);
  stop.abort(new Error("interrupted"));
  await assert.rejects(at.clock.until(second.held), { message: "interrupted" });
  assert.ok(hold.isHeld());
  assert.equal(await holderIn(at), "a");
});

test("without the right to delete it, the lease is left without a holder", async () => {
  const at = lab();
  const refusal = JSON.stringify({ kind: "Status", apiVersion: "v1", status: "Failure", reason: "Forbidden", code: 403, message: "no" });
  const careful = connect(
    (request) => (request.method === "DELETE" ? Promise.resolve({ status: 403, headers: {}, body: only(refusal) }) : at.exchange(request)),
    { clock: at.clock },
  );
  const hold = await at.clock.until(deployer(careful, "a").held);
  const second = deployer(at.cluster, "b");
  await at.clock.advance(1_000);
  await hold.release();
  await at.clock.advance(0);
  assert.ok(has(second));
  assert.equal(await holderIn(at), "b");
});

async function* only(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
