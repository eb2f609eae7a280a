import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { RealClock, VirtualClock } from "../../src/core/clock/index.ts";
import { webhookCaller } from "../../src/http/index.ts";
import { openTransport, type Transport } from "../../src/kube/transport/index.ts";
import { serveExchange, type ServedExchange } from "../../src/server/index.ts";
import { startEmbeddedCluster, type EmbeddedCluster } from "../../src/embedded/index.ts";
import {
  cases,
  suiteBehaviour,
  caseFailures,
  runCases,
  readRecording,
  callScriptedWebhook,
  scriptedWebhook,
  serveScriptedWebhook,
  virtualTimeTarget,
  type ScriptedWebhook,
  type ConformanceCase,
  type CaseOutcome,
  type ConformanceTarget,
} from "./index.ts";

const { kubernetes, cases: recorded } = readRecording();

test("every case is recorded, and nothing else", () => {
  assert.match(kubernetes, /^v1\.\d+\.\d+$/);
  assert.deepEqual([...recorded.keys()].sort(), cases.map(({ id }) => id).sort());
});

describe(`the embedded cluster answers as Kubernetes ${kubernetes} does`, () => {
  const clock = new VirtualClock();
  const simulation = startEmbeddedCluster({ clock, behaviour: suiteBehaviour, callWebhook: callScriptedWebhook });
  const target = virtualTimeTarget(simulation.exchange, clock, { webhook: scriptedWebhook });
  after(() => simulation.stop());
  for (const subject of cases.filter(({ needsWebhook = false }) => needsWebhook !== "socket"))
    test(`${subject.id}: ${subject.title}`, () => conforms(subject, target, "a"));
});

describe("it does so over a socket", () => {
  const clock = new VirtualClock();
  let simulation: EmbeddedCluster;
  let served: ServedExchange;
  let webhook: ScriptedWebhook;
  let transport: Transport;
  let target: ConformanceTarget;
  before(async () => {
    simulation = startEmbeddedCluster({ clock, behaviour: suiteBehaviour, callWebhook: webhookCaller(new RealClock()) });
    webhook = await serveScriptedWebhook();
    served = await serveExchange(simulation.exchange, { now: new Date() });
    const { url: server, authority, client } = served;
    transport = openTransport({ server, authority, certificate: async () => client }, new RealClock());
    target = virtualTimeTarget(transport.exchange, clock, { responseMs: 5, webhook });
  });
  after(async () => {
    transport.close();
    await served.close();
    await webhook.close();
    simulation.stop();
  });
  // Connections to webhooks cost more than all the rest, so only cases about these have one.
  for (const subject of cases.filter(({ needsWebhook = false }) => needsWebhook !== true))
    test(`${subject.id}: ${subject.title}`, () => conforms(subject, target, "b"));
});

async function conforms(subject: ConformanceCase, target: ConformanceTarget, run: string): Promise<void> {
  const faults = caseFailures(await outcomeOf(subject, target, run), recorded.get(subject.id));
  assert.ok(faults.length === 0, faults.join("\n"));
}

async function outcomeOf(subject: ConformanceCase, target: ConformanceTarget, run: string): Promise<CaseOutcome> {
  for await (const outcome of runCases([subject], target, run)) return outcome;
  throw new TypeError("a case has one outcome");
}
