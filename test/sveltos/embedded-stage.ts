/** A stage of embedded clusters in virtual time, with whole controllers. */
import { tellingKinds } from "../../src/cli/fleet/standing.ts";
import { occurrencesIn } from "../../src/cli/fleet/occurrences.ts";
import { listOwn } from "../../src/cli/fleet/own-objects.ts";
import { runAgent } from "../../src/sveltos/agent/index.ts";
import { deregister } from "../../src/sveltos/fleet/index.ts";

import { EmbeddedFleet, namespace } from "../support/embedded-fleet.ts";
import { left, Replica } from "../support/whole-controller.ts";
import { kyverno } from "./kyverno.ts";
import type { Stage } from "./stage.ts";

const labels = { one: { env: "fv" }, two: { dep: "eng" } } as const;
/** No cloud gives addresses here: whoever wants one writes it. */
const behaviour = [{ match: { kind: "Service" }, address: "never" }];

export type EmbeddedStage = { readonly stage: Stage; close(): Promise<void> };

export async function embeddedStage(): Promise<EmbeddedStage> {
  const lab = await EmbeddedFleet.open({ behaviour, clusters: labels });
  const start = (name: string) => new Replica(lab, name, { charts: () => Promise.resolve(kyverno) });
  const replicas = [start("first")];
  await lab.advance(3000);
  const stage = stageOn(lab, replicas, () => start(`replica ${replicas.length}`));
  return {
    stage,
    async close() {
      for (const replica of replicas) replica.isDead = false;
      await left(lab, ...replicas);
      await lab.close();
    },
  };
}

function stageOn(lab: EmbeddedFleet, replicas: Replica[], start: () => Replica): Stage {
  return {
    hub: lab.hub,
    managed: [lab.managed("one"), lab.managed("two")],
    ids: [lab.id("one"), lab.id("two")],
    signal: lab.signal,
    repository: "https://charts.example.com",
    until: (work) => lab.until(work),
    settle: () => lab.advance(60_000),
    pause: () => lab.advance(100),
    async relabel(changed) {
      const ref = { group: "lib.projectsveltos.io", version: "v1beta1", kind: "SveltosCluster", namespace, name: "one" };
      await lab.until(lab.hub.patch(ref, { type: "merge", patch: { metadata: { labels: changed } } }));
    },
    async outage(meanwhile) {
      lab.unreachable.add("one");
      await meanwhile();
      lab.unreachable.delete("one");
    },
    leave: async () => void (await lab.until(deregister(lab.hub, { namespace, name: "two" }, lab.signal))),
    join: (wanted) => lab.join("two", wanted),
    async agent() {
      const stop = new AbortController();
      const running = runAgent(lab.managed("one"), { identity: "agent" }, stop.signal);
      await lab.advance(2000);
      return async () => {
        stop.abort();
        await lab.until(running);
      };
    },
    async reinforce() {
      replicas.push(start());
      await lab.advance(5000);
    },
    async kill() {
      replicas.find(isLeader)!.isDead = true;
    },
    shown: () => lab.until(shownIn(lab)),
    metrics: async () =>
      replicas
        .filter(({ isDead }) => !isDead)
        .map(({ monitor }) => monitor.metrics.text())
        .join("\n"),
  };
}

function isLeader({ isDead, monitor }: Replica): boolean {
  return !isDead && monitor.metrics.text().includes("\nsluice_leader 1\n");
}

async function shownIn({ hub, signal }: EmbeddedFleet): Promise<string> {
  const objects = (await Promise.all(tellingKinds.map((kind) => listOwn(hub, kind, { signal })))).flat();
  const { items } = await hub.list({ group: "", version: "v1", kind: "Event" }, { fieldSelector: "source=sluice", signal });
  return JSON.stringify(occurrencesIn(objects, items));
}
