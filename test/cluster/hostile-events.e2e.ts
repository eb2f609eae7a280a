/**
 * Scripts, rules and templates of events that ask for all time or all memory, of three tenants at once, in a controller as its users
 * run it: no Lease is lost, probes answer, and the events of other tenants are deployed. The clusters are embedded, in processes of
 * their own.
 */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { hostileObjects } from "../../bench/hostile-objects.ts";
import { openEmbeddedFixture } from "../../bench/load-fixture.ts";
import { TenantLoad, tenantNumber } from "../../bench/tenant-load.ts";
import { RealClock, sleep } from "../../src/core/clock/index.ts";
import { numberAt, stringAt, type KubeObject } from "../../src/core/object/index.ts";
import { startSluice } from "./sluice-process.ts";
import { watchProbes } from "./probe-delays.ts";

const kinds = ["event-script", "event-rule", "event-template", "event-aggregation"] as const;
/** How many objects each hostile tenant sends: every script and rule, and every template of the first ten. */
const hostileCount = 40;
/** How much longer than an idle process a probe may take. */
const maxProbeDelayMs = 1000;

const clock = new RealClock();
const fixture = await openEmbeddedFixture();
const controller = await startSluice("controller", fixture.kubeconfig);
await controller.until("/healthz", /ok/);
after(async () => {
  await controller.end();
  await fixture.stop();
});

async function leaseHolders(): Promise<readonly string[]> {
  const { items } = await fixture.hub.list({ group: "coordination.k8s.io", version: "v1", kind: "Lease" });
  return items.map((lease: KubeObject) => {
    const holder = `${stringAt(lease, "spec.holderIdentity", "")} ${numberAt(lease, "spec.leaseTransitions", 0)}`;
    return `${lease.metadata.namespace}/${lease.metadata.name} ${holder}`;
  });
}

test("events of others are deployed while three tenants ask for all time and memory", { timeout: 600_000 }, async () => {
  const tenants = Array.from({ length: 5 }, (_, at) => tenantNumber(at));
  const [hostile, others] = [tenants.slice(0, 3), tenants.slice(3)];
  const load = new TenantLoad(fixture, 1);
  await load.open(tenants);
  await load.run(others, 1000, 3000, { changes: false });
  const leases = await leaseHolders();
  assert.ok(leases.length > 0);

  const probes = await watchProbes(["/healthz", "/readyz"], controller.page, clock);
  const isOver = new AbortController();
  const attack = (async () => {
    for (let number = 0; number < hostileCount; number++) {
      for (const [at, tenant] of hostile.entries())
        for (const object of hostileObjects(tenant, number * hostile.length + at, "", kinds))
          await fixture.hub.apply(object, { manager: "kubectl", force: true });
      await sleep(clock, 500);
    }
    // The workers are still busy with them.
    await sleep(clock, 10_000);
    isOver.abort();
  })();
  const times: number[] = [];
  let missing = 0;
  while (!isOver.signal.aborted) {
    const found = await load.run(others, 1000, 5000, { changes: false });
    times.push(...found.events);
    missing += found.missing;
  }
  await attack;
  const delays = await probes.end();
  assert.equal(missing, 0, `${missing} of ${times.length + missing} events were not deployed within a minute`);
  assert.ok(times.length > 20);
  for (const [page, ms] of Object.entries(delays))
    assert.ok(ms < maxProbeDelayMs, `${page} took ${ms.toFixed(0)} ms longer than an idle process; expected less than ${maxProbeDelayMs}`);
  assert.deepEqual(await leaseHolders(), leases);
  assert.equal(controller.endedBy(), undefined);
  process.stdout.write(`${times.length} events, worst ${Math.max(...times).toFixed(0)} ms; probes ${JSON.stringify(delays)}\n`);
});
