/** A fleet fixture of embedded clusters in virtual time, with complete controllers. */
import { runAgent } from "../../src/sveltos/agent/index.ts";

import { EmbeddedFleet, fleetNamespace } from "../support/embedded-fleet.ts";
import { stopReplicas, ControllerReplica } from "../support/controller-replica.ts";
import { kyvernoChart } from "../support/kyverno-chart.ts";
import type { FleetFixture } from "./fleet-fixture.ts";
import { occurrenceKinds, occurrencesIn } from "../../src/sveltos/inspect/index.ts";
import { deregister, listSveltosObjects } from "../../src/sveltos/fleet/index.ts";

const labels = { one: { env: "fv" }, two: { dep: "eng" } } as const;
/** There is no provider of load balancers: tests write the addresses. */
const behaviour = [{ match: { kind: "Service" }, address: "never" }];

type EmbeddedFixture = { readonly fixture: FleetFixture; close(): Promise<void> };

export async function openEmbeddedFixture(): Promise<EmbeddedFixture> {
  const fleet = await EmbeddedFleet.open({ behaviour, clusters: labels });
  const start = (name: string) => new ControllerReplica(fleet, name, { charts: () => Promise.resolve({ chart: kyvernoChart }) });
  const replicas = [start("first")];
  await fleet.advance(3000);
  const fixture = fixtureOn(fleet, replicas, () => start(`replica ${replicas.length}`));
  return {
    fixture,
    async close() {
      for (const replica of replicas) replica.isDead = false;
      await stopReplicas(fleet, ...replicas);
      await fleet.close();
    },
  };
}

function fixtureOn(fleet: EmbeddedFleet, replicas: ControllerReplica[], start: () => ControllerReplica): FleetFixture {
  return {
    hub: fleet.hub,
    managed: [fleet.managed("one"), fleet.managed("two")],
    ids: [fleet.id("one"), fleet.id("two")],
    signal: fleet.signal,
    repository: "https://charts.example.com",
    until: (work) => fleet.until(work),
    settle: () => fleet.advance(60_000),
    pause: () => fleet.advance(100),
    async relabel(changed) {
      const ref = { group: "lib.projectsveltos.io", version: "v1beta1", kind: "SveltosCluster", namespace: fleetNamespace, name: "one" };
      await fleet.until(fleet.hub.patch(ref, { type: "merge", patch: { metadata: { labels: changed } } }));
    },
    async outage(meanwhile) {
      fleet.unreachable.add("one");
      await meanwhile();
      fleet.unreachable.delete("one");
    },
    deregisterSecond: async () => void (await fleet.until(deregister(fleet.hub, { namespace: fleetNamespace, name: "two" }, fleet.signal))),
    registerSecond: (labels) => fleet.join("two", labels),
    async startAgent() {
      const stop = new AbortController();
      const running = runAgent(fleet.managed("one"), { identity: "agent" }, stop.signal);
      await fleet.advance(2000);
      return async () => {
        stop.abort();
        await fleet.until(running);
      };
    },
    async addReplica() {
      replicas.push(start());
      await fleet.advance(5000);
    },
    async killLeader() {
      replicas.find(isLeader)!.isDead = true;
    },
    showEvents: () => fleet.until(occurrencesText(fleet)),
    metrics: async () =>
      replicas
        .filter(({ isDead }) => !isDead)
        .map(({ monitor }) => monitor.metrics.text())
        .join("\n"),
  };
}

function isLeader({ isDead, monitor }: ControllerReplica): boolean {
  return !isDead && monitor.metrics.text().includes("\nsluice_leader 1\n");
}

async function occurrencesText({ hub, signal }: EmbeddedFleet): Promise<string> {
  const objects = (await Promise.all(occurrenceKinds.map((kind) => listSveltosObjects(hub, kind, { signal })))).flat();
  const { items } = await hub.list({ group: "", version: "v1", kind: "Event" }, { fieldSelector: "source=sluice", signal });
  return JSON.stringify(occurrencesIn(objects, items));
}
