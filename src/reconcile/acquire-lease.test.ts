import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock, type Clock } from "../core/clock/index.ts";
import { Fault } from "../core/fault/index.ts";
import { numberAt } from "../core/object/index.ts";
import { connect, type Cluster } from "../kube/index.ts";
import { startEmbeddedCluster } from "../embedded/index.ts";
import { acquireLease, holderOf, leaseKind, runLeaderElection, type AcquireLeaseOptions, type HeldLease } from "./index.ts";

const lock = { namespace: "default", name: "sluice-leader", about: "the management cluster" };

const forbidden = {
  kind: "Status",
  apiVersion: "v1",
  status: "Failure",
  reason: "Forbidden",
  code: 403,
  message: 'leases.coordination.k8s.io is forbidden: User "joe" cannot list resource "leases"',
};

/** An embedded cluster, and a client of it whose requests for Leases go through `state`. */
function fixture() {
  const clock = new VirtualClock();
  const { exchange } = startEmbeddedCluster({ clock });
  const state: { mode: "up" | "reset" | "unavailable" | "answers are lost" | "forbidden" } = { mode: "up" };
  const cluster = connect(exchange, { clock });
  const faulty = connect(
    async (request) => {
      const isLeaseWrite = request.method !== "GET" && request.path.includes("/leases");
      if (state.mode === "forbidden" && request.path.includes("/leases"))
        return { status: 403, headers: {}, body: [JSON.stringify(forbidden)] };
      if (state.mode === "up" || !isLeaseWrite) return exchange(request);
      if (state.mode === "reset") throw new Fault("read ECONNRESET");
      if (state.mode === "unavailable") return { status: 503, headers: {}, body: [] as never };
      await exchange(request);
      return new Promise<never>((_, reject) => request.signal.addEventListener("abort", () => reject(request.signal.reason)));
    },
    { clock },
  );
  return { clock, cluster, faulty, state };
}

async function acquire(cluster: Cluster, options: AcquireLeaseOptions, reasons: string[] = []): Promise<HeldLease> {
  const waits = acquireLease(cluster, lock, options);
  for (;;) {
    const { done, value } = await waits.next();
    if (done === true) return value;
    reasons.push(value.because);
  }
}

async function holder(cluster: Cluster): Promise<string> {
  return holderOf(await cluster.find({ ...leaseKind, namespace: lock.namespace, name: lock.name }));
}

for (const mode of ["reset", "unavailable"] as const)
  test(`acquiring outlasts an API server whose answer is: ${mode}`, async () => {
    const { clock, cluster, faulty, state } = fixture();
    state.mode = mode;
    const reasons: string[] = [];
    const acquiring = acquire(faulty, { identity: "a", signal: new AbortController().signal }, reasons);
    await clock.advance(60_000);
    assert.equal(await holder(cluster), "");
    state.mode = "up";
    const held = await clock.until(acquiring);
    assert.equal(await holder(cluster), "a");
    assert.ok(reasons.length === 1 && /take the lease of the management cluster/.test(reasons[0]!), reasons.join("\n"));
    await clock.until(held.release());
  });

test("a right that is missing is told at once, and is an error when it is still missing after a moment", async () => {
  const { clock, faulty, state } = fixture();
  state.mode = "forbidden";
  const reasons: string[] = [];
  const acquiring = acquire(faulty, { identity: "a", signal: new AbortController().signal }, reasons);
  const told = /take the lease of the management cluster: .*User "joe" cannot list resource "leases"/;
  await clock.advance(1_000);
  assert.ok(reasons.length === 1 && told.test(reasons[0]!), reasons.join("\n"));
  const from = clock.now();
  await assert.rejects(clock.until(acquiring), told);
  assert.ok(clock.now() - from <= 5_000);
});

test("an API server that forbids everything for a moment after its start is waited for", async () => {
  const { clock, cluster, faulty, state } = fixture();
  state.mode = "forbidden";
  const acquiring = acquire(faulty, { identity: "a", signal: new AbortController().signal });
  await clock.advance(2_000);
  state.mode = "up";
  const held = await clock.until(acquiring);
  assert.equal(await holder(cluster), "a");
  await clock.until(held.release());
});

test("a Lease that was taken with a lost answer is recognised", async () => {
  const { clock, cluster, faulty, state } = fixture();
  state.mode = "answers are lost";
  const acquiring = acquire(faulty, { identity: "a", signal: new AbortController().signal });
  await clock.advance(1_000);
  assert.equal(await holder(cluster), "a");
  state.mode = "up";
  const held = await clock.until(acquiring);
  assert.equal(held.isHeld(), true);
  await clock.until(held.release());
});

test("one that is told to stop while it takes the Lease leaves none behind", async () => {
  const { clock, cluster } = fixture();
  const stop = new AbortController();
  // The request has arrived when the signal aborts, and its answer comes later.
  const slow = connect(
    async (request) => {
      const answer = await cluster.raw(request);
      if (request.method === "POST" && request.path.includes("/leases")) {
        stop.abort(new Error("told to stop"));
        request.signal.throwIfAborted();
      }
      return answer;
    },
    { clock },
  );
  await assert.rejects(clock.until(acquire(slow, { identity: "a", signal: stop.signal })), /told to stop/);
  assert.equal(await holder(cluster), "");
});

test("a leader that lost its Lease leads again at once when nobody took it", async () => {
  const { clock, faulty, state } = fixture();
  const stop = new AbortController();
  const terms: number[] = [];
  const running = runLeaderElection(faulty, lock, { identity: "a", signal: stop.signal }, async (leading) => {
    terms.push(clock.now());
    await new Promise<void>((resolve) => leading.addEventListener("abort", () => resolve(), { once: true }));
  });
  await clock.advance(5_000);
  state.mode = "reset";
  await clock.advance(14_000);
  state.mode = "up";
  const upAt = clock.now();
  await clock.advance(6_000);
  assert.equal(terms.length, 2);
  assert.ok(terms[1]! - upAt <= 5_000, `${terms[1]! - upAt} ms after the API server was back`);
  stop.abort();
  await clock.until(running);
});

test("a leader that was suspended learns at its next write that another may lead, before its timers fire", async () => {
  const { clock, faulty } = fixture();
  let suspendedMs = 0;
  const suspended: Clock = { now: () => clock.now() + suspendedMs, after: (...args) => clock.after(...args) };
  const stop = new AbortController();
  const term = Promise.withResolvers<{ leading: AbortSignal; assertLeading: () => void }>();
  const running = runLeaderElection(
    { ...faulty, clock: suspended },
    lock,
    { identity: "a", signal: stop.signal },
    async (leading, assertLeading) => {
      term.resolve({ leading, assertLeading });
      await new Promise<void>((resolve) => leading.addEventListener("abort", () => resolve(), { once: true }));
    },
  );
  const { leading, assertLeading } = await clock.until(term.promise);
  assertLeading();
  suspendedMs = 40_000;
  assert.throws(assertLeading, /lost the lease of the management cluster: it could not be renewed for 12 s/);
  assert.equal(leading.aborted, true);
  stop.abort();
  await clock.until(running);
});

test("a leader that ends while the API server is away ends all the same", async () => {
  const { clock, faulty, state } = fixture();
  const stop = new AbortController();
  const running = runLeaderElection(faulty, lock, { identity: "a", signal: stop.signal }, async (leading) => {
    await new Promise<void>((resolve) => leading.addEventListener("abort", () => resolve(), { once: true }));
  });
  await clock.advance(1_000);
  state.mode = "reset";
  stop.abort();
  await clock.until(running);
});

test("a lease that is valid twice as long is renewed half as often, and in doubt after twice the time", async () => {
  const { clock, cluster, faulty, state } = fixture();
  const leaseOf = () => cluster.find({ ...leaseKind, namespace: lock.namespace, name: lock.name });
  const waits = acquireLease(faulty, { ...lock, durationMs: 30_000 }, { identity: "a", signal: new AbortController().signal });
  const { value: held } = await clock.until(waits.next());
  assert.ok(held !== undefined && "isHeld" in held);
  const taken = await leaseOf();
  assert.equal(numberAt(taken, "spec.leaseDurationSeconds"), 30);
  await clock.advance(7_500);
  assert.equal((await leaseOf())?.metadata.resourceVersion, taken?.metadata.resourceVersion);
  await clock.advance(1_000);
  assert.notEqual((await leaseOf())?.metadata.resourceVersion, taken?.metadata.resourceVersion);
  state.mode = "reset";
  await clock.advance(23_000);
  assert.ok(held.isHeld());
  await clock.advance(1_000);
  assert.ok(!held.isHeld());
});
