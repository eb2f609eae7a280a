import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { RealClock, VirtualClock } from "../../src/core/clock/index.ts";
import { webhookCaller } from "../../src/http/index.ts";
import { openTransport, type Transport } from "../../src/kube/transport/index.ts";
import { serveExchange, type ServedExchange } from "../../src/server/index.ts";
import { startEmbeddedCluster, type EmbeddedCluster } from "../../src/embedded/index.ts";
import type { ConformanceCase } from "./conformance-case.ts";
import { virtualTimeTarget, type ConformanceTarget } from "./conformance-target.ts";
import { readRecording } from "./recording.ts";
import { caseFailures, runCases, type CaseOutcome } from "./run-cases.ts";
import { callScriptedWebhook, scriptedWebhook, serveScriptedWebhook, type ScriptedWebhook } from "./scripted-webhook.ts";
import { suiteBehaviour } from "./suite-behaviour.ts";

const { kubernetes, cases: recorded } = readRecording();

/** Compares the answers of an embedded cluster in this process with the recorded ones. */
export function describeInProcess(cases: readonly ConformanceCase[]): void {
  describe(`the embedded cluster answers as Kubernetes ${kubernetes} does`, () => {
    const clock = new VirtualClock();
    const simulation = startEmbeddedCluster({ clock, behaviour: suiteBehaviour, callWebhook: callScriptedWebhook });
    const target = virtualTimeTarget(simulation.exchange, clock, { webhook: scriptedWebhook });
    after(() => simulation.stop());
    for (const subject of cases) test(`${subject.id}: ${subject.title}`, () => conforms(subject, target, "a"));
  });
}

/** Compares what a client of a served embedded cluster is answered with the recorded answers. */
export function describeOverSocket(cases: readonly ConformanceCase[]): void {
  describe(`a served embedded cluster answers as Kubernetes ${kubernetes} does`, () => {
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
    for (const subject of cases) test(`${subject.id}: ${subject.title}`, () => conforms(subject, target, "b"));
  });
}

async function conforms(subject: ConformanceCase, target: ConformanceTarget, run: string): Promise<void> {
  const faults = caseFailures(await outcomeOf(subject, target, run), recorded.get(subject.id));
  assert.ok(faults.length === 0, faults.join("\n"));
}

async function outcomeOf(subject: ConformanceCase, target: ConformanceTarget, run: string): Promise<CaseOutcome> {
  for await (const outcome of runCases([subject], target, run)) return outcome;
  throw new TypeError("a case has one outcome");
}
