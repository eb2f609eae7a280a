/**
 * The time from a Service to its NetworkPolicy, and back, on real control planes: with the controller as its users run it,
 * and with a bare client that makes the same writes one after another, at the same rate in the same run.
 *
 * A time begins when the Service is created or deleted: when its write is answered or a watch reports it, whichever is
 * first. It ends when a watch of the managed cluster reports the NetworkPolicy as added or deleted.
 */
import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { benchChain } from "./events-chain.ts";
import { BareClient } from "./events-bare.ts";
import { criticalWrites, recordEvents, requestTitle, type EventsRecording } from "./events-recording.ts";
import { applyExample, openEventsFixture } from "./events-fixture.ts";
import { startController, type ControllerProcess } from "./controller-process.ts";
import { reportNote, reportAtMost, reportAtLeast } from "./report.ts";
import { idleClient, ServiceLoad, type Times, warmUps } from "./service-load.ts";
import { spreadOf, spreadText } from "./spread.ts";

const services = 100;
const everyMs = 100;
/** What Sveltos 0.51.1 needed for this on a similar machine. */
const sveltos = { medianMs: 8500, worstMs: 14_000, thereAfter200s: 18 };

/** Runs the benchmark and prints its figures. */
export async function benchEvents(): Promise<void> {
  const recording = await recordEvents(services / 2);
  reportWrites(recording);
  const fixture = await openEventsFixture((line) => void process.stdout.write(`     ${line}\n`));
  try {
    const load = new ServiceLoad(fixture, everyMs);
    const bare = { created: [], deleted: [] };
    const sluice = { created: [], deleted: [] };
    const bareClient = new BareClient(recording, fixture);
    await bareClient.run(load, services, bare);
    await applyExample(fixture);
    const controller = startController(fixture.control.kubeconfig);
    try {
      await runSluice(load, controller, sluice);
      reportTimes(bare, sluice);
      await benchChain(fixture);
    } finally {
      await controller.end();
    }
    const again = { created: [], deleted: [] };
    await bareClient.run(load, services, again);
    reportNote("bare client, after all else: Service to NetworkPolicy", spreadText(spreadOf(again.created)));
    reportNote("load of the machine", loadavg()[0]!.toFixed(1));
  } finally {
    await fixture.stop();
  }
}

async function runSluice(load: ServiceLoad, controller: ControllerProcess, times: Times): Promise<void> {
  const first = { created: [], deleted: [] };
  await load.run(idleClient, "first", 1);
  await load.run(idleClient, "warm-up", warmUps, first);
  const before = controller.cpuMs();
  await load.run(idleClient, "sluice", services, times);
  reportNote("CPU of the controller per Service, to and fro", `${((controller.cpuMs() - before) / services).toFixed(1)} ms`);
  reportNote("memory of the controller at most", `${controller.peakMiB().toFixed(0)} MiB`);
  reportNote("Sluice when it has only just begun", spreadText(spreadOf(first.created)));
}

function reportWrites({ creation, deletion }: EventsRecording): void {
  reportNote("writes to a NetworkPolicy, one after another", criticalWrites(creation).map(requestTitle).join(", "));
  reportNote("writes until it is gone", criticalWrites(deletion).map(requestTitle).join(", "));
  reportNote("requests of the controller for a Service in all, to and fro", `${requestsIn(creation)} and ${requestsIn(deletion)}`);
}

function requestsIn(steps: EventsRecording["creation"]): number {
  return steps.filter(({ path: to }) => !to.includes("/leases")).length;
}

function reportTimes(bare: Times, sluice: Times): void {
  for (const [way, title] of [
    ["created", "Service to NetworkPolicy"],
    ["deleted", "Service gone to NetworkPolicy gone"],
  ] as const) {
    const [ours, theirs] = [spreadOf(sluice[way]), spreadOf(bare[way])];
    reportAtMost(`${title}: median, times of the bare client`, ours.median / theirs.median, 3, "x");
    reportAtMost(`${title}: 99 %, times of the bare client`, ours.p99 / theirs.p99, 10, "x");
    reportNote("Sluice", spreadText(ours));
    reportNote("bare client", spreadText(theirs));
  }
  const { median, worst } = spreadOf(sluice.created);
  const there = sluice.created.filter((ms) => ms <= 1000).length;
  reportAtLeast("NetworkPolicies within a second of their Service, of 100", there, services);
  reportAtLeast("median: Sveltos, times of Sluice", sveltos.medianMs / median, 50, "x");
  const theirs = `8-9 s median, ${sveltos.worstMs / 1000} s worst; ${sveltos.thereAfter200s} of 100 after 200 s at this rate`;
  reportNote("Sveltos 0.51.1, measured on such a machine", theirs);
  reportNote("worst: Sveltos, times of Sluice", `${(sveltos.worstMs / worst).toFixed(0)}x`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await benchEvents();
