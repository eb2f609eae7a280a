import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { RealClock, VirtualClock } from "../../src/core/clock/index.ts";
import { openTransport, type Transport } from "../../src/kube/transport/index.ts";
import { serve, type Served } from "../../src/server/index.ts";
import { simulate, type Simulation } from "../../src/embedded/index.ts";
import { cases, conduct, faultsOf, playCases, readRecording, siteInVirtualTime, type Case, type Outcome, type Site } from "./index.ts";

const { kubernetes, cases: recorded } = readRecording();

test("every case is recorded, and nothing else", () => {
  assert.match(kubernetes, /^v1\.\d+\.\d+$/);
  assert.deepEqual([...recorded.keys()].sort(), cases.map(({ id }) => id).sort());
});

describe(`the embedded cluster answers as Kubernetes ${kubernetes} does`, () => {
  const clock = new VirtualClock();
  const simulation = simulate({ clock, behaviour: conduct });
  const site = siteInVirtualTime(simulation.exchange, clock);
  after(() => simulation.stop());
  for (const subject of cases) test(`${subject.id}: ${subject.title}`, () => conforms(subject, site, "a"));
});

describe("it does so over a socket", () => {
  const clock = new VirtualClock();
  let simulation: Simulation;
  let served: Served;
  let transport: Transport;
  let site: Site;
  before(async () => {
    simulation = simulate({ clock, behaviour: conduct });
    served = await serve(simulation.exchange, { now: new Date() });
    const { url: server, authority, client } = served;
    transport = openTransport({ server, authority, certificate: async () => client }, new RealClock());
    site = siteInVirtualTime(transport.exchange, clock, { patienceMs: 5 });
  });
  after(async () => {
    transport.close();
    await served.close();
    simulation.stop();
  });
  for (const subject of cases) test(`${subject.id}: ${subject.title}`, () => conforms(subject, site, "b"));
});

async function conforms(subject: Case, site: Site, run: string): Promise<void> {
  const faults = faultsOf(await outcomeOf(subject, site, run), recorded.get(subject.id));
  assert.ok(faults.length === 0, faults.join("\n"));
}

async function outcomeOf(subject: Case, site: Site, run: string): Promise<Outcome> {
  for await (const outcome of playCases([subject], site, run)) return outcome;
  throw new TypeError("a case has one outcome");
}
