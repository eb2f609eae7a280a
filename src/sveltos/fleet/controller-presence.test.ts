import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import type { Exchange } from "../../core/exchange/index.ts";
import { connect, type Cluster } from "../../kube/index.ts";
import { startEmbeddedCluster } from "../../embedded/index.ts";
import { findControllerAbsence, watchController, type ControllerAbsence } from "./index.ts";

const { signal } = new AbortController();
const leaseRef = { group: "coordination.k8s.io", version: "v1", kind: "Lease", namespace: "default", name: "sluice.a.1" };

function startHub(change: (exchange: Exchange) => Exchange = (exchange) => exchange) {
  const clock = new VirtualClock();
  return { clock, hub: connect(change(startEmbeddedCluster({ clock }).exchange), { clock }) };
}

function microTime(ms: number): string {
  return new Date(ms).toISOString().replace("Z", "000Z");
}

async function createLease(hub: Cluster, renewedMs: number, holder = "a"): Promise<void> {
  await hub.create({
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { namespace: "default", name: leaseRef.name, labels: { "sluice.dev/group": "sluice" } },
    spec: { holderIdentity: holder, leaseDurationSeconds: 15, renewTime: microTime(renewedMs) },
  });
}

async function renewLease(hub: Cluster, renewedMs: number): Promise<void> {
  await hub.patch(leaseRef, { type: "merge", patch: { spec: { renewTime: microTime(renewedMs) } } });
}

test("a controller runs while its Lease is renewed, whatever the clocks say", async () => {
  for (const [what, ageMs, expected] of [
    ["renewed just now", 1_000, "running"],
    ["renewed long ago", 3_600_000, "absent"],
    ["renewed in an hour, by a clock that is ahead", -3_600_000, "absent"],
  ] as const) {
    const { clock, hub } = startHub();
    const renewed = clock.now() - ageMs;
    await createLease(hub, renewed);
    const absence = await clock.until(findControllerAbsence(hub, signal));
    const lease = { namespace: "default", name: "sluice.a.1", renewTime: microTime(renewed) };
    assert.deepEqual(absence, expected === "running" ? undefined : { lease }, what);
  }
});

test("a Lease that looks old and is renewed while it is watched is that of a controller that runs", async () => {
  const { clock, hub } = startHub();
  await createLease(hub, clock.now() - 3_600_000);
  const finding = findControllerAbsence(hub, signal);
  await clock.advance(4_000);
  await renewLease(hub, clock.now() - 3_600_000 + 4_000);
  assert.equal(await clock.until(finding), undefined);
});

test("without a Lease, or with one that nobody holds, no controller runs", async () => {
  const { clock, hub } = startHub();
  assert.deepEqual(await clock.until(findControllerAbsence(hub, signal)), {});
  await createLease(hub, clock.now(), "");
  assert.deepEqual(await clock.until(findControllerAbsence(hub, signal)), {});
});

test("Sveltos' own controllers have no Leases, and count while their pods run", async () => {
  const { clock, hub } = startHub();
  await hub.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "projectsveltos" } });
  await hub.create({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "addon-controller", namespace: "projectsveltos" },
    spec: {
      selector: { matchLabels: { app: "a" } },
      template: { metadata: { labels: { app: "a" } }, spec: { containers: [{ name: "c", image: "i" }] } },
    },
  });
  await clock.advance(60_000);
  assert.equal(await clock.until(findControllerAbsence(hub, signal)), undefined);
});

test("who may not read Leases learns nothing", async () => {
  const forbidden = JSON.stringify({ kind: "Status", apiVersion: "v1", status: "Failure", reason: "Forbidden", code: 403, message: "no" });
  const { clock, hub } = startHub((exchange) => async (request) => {
    if (!/\/leases\b/.test(request.path)) return exchange(request);
    return { status: 403, headers: { "content-type": "application/json" }, body: [forbidden] };
  });
  assert.equal(await clock.until(findControllerAbsence(hub, signal)), undefined);
});

test("a controller that dies and one that starts are told while they are watched", async () => {
  const { clock, hub } = startHub();
  await createLease(hub, clock.now());
  const seen: (ControllerAbsence | undefined)[] = [];
  const stop = new AbortController();
  const watching = (async () => {
    for await (const absence of watchController(hub, stop.signal)) seen.push(absence);
  })();
  await clock.advance(10_000);
  const renewed = clock.now();
  await renewLease(hub, renewed);
  await clock.advance(14_000);
  assert.deepEqual(seen, [undefined]);
  await clock.advance(2_000);
  const absence = { lease: { namespace: "default", name: "sluice.a.1", renewTime: microTime(renewed) } };
  assert.deepEqual(seen, [undefined, absence]);
  await renewLease(hub, clock.now());
  await clock.advance(100);
  assert.deepEqual(seen, [undefined, absence, undefined]);
  stop.abort();
  await watching.catch(() => undefined); // the reason of the abort
});
