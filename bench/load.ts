/**
 * Many events at a high rate: 1,000 Services at 50 a second, each with a NetworkPolicy, and back. The controller runs as its
 * users run it; before and after it a bare client makes the same writes at the same rate. What an event costs the
 * controller is measured beside 100 Services that match and beside 1,100.
 *
 * Each round is over two minutes after its last Service: what has not arrived by then is counted, and the times of the others are
 * printed.
 *
 * `SLUICE_BENCH_SERVICES=300 SLUICE_BENCH_RATE=20 SLUICE_BENCH_FORM=shared` asks for other loads.
 */
import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { refOf, type KubeObject } from "../src/core/object/index.ts";
import { exampleManifests } from "../test/sveltos/test-fleet.ts";
import { BareClient } from "./events-bare.ts";
import { recordEvents } from "./events-recording.ts";
import { startController, type ControllerProcess } from "./controller-process.ts";
import { openEmbeddedFixture, openRealFixture, type LoadFixture } from "./load-fixture.ts";
import { reportAtMost, reportNote } from "./report.ts";
import { idleClient, IncompleteRound, ServiceLoad, type Times } from "./service-load.ts";
import { spreadOf, spreadText } from "./spread.ts";

const services = Number(process.env["SLUICE_BENCH_SERVICES"] ?? 1000);
const rate = Number(process.env["SLUICE_BENCH_RATE"] ?? 50);
const forms = (process.env["SLUICE_BENCH_FORM"] ?? "each,shared").split(",");
/** How many Services come and go for the cost of an event, and how many match beside them at least. */
const sample = 100;
/** The growth up to which a cost counts as constant. */
const flat = 1.2;

/** On real control planes. */
export function benchLoad(): Promise<void> {
  return benchIn(openRealFixture);
}

/** On embedded clusters: the clusters are quicker and the controller is the same. */
export function benchEmbeddedLoad(): Promise<void> {
  return benchIn(openEmbeddedFixture);
}

async function benchIn(open: () => Promise<LoadFixture>): Promise<void> {
  const fixture = await open();
  try {
    const load = new ServiceLoad(fixture, 1000 / rate);
    if (forms.includes("each")) await benchEach(fixture, load);
    if (forms.includes("shared")) await benchShared(fixture, load);
    reportNote("load of the machine", loadavg()[0]!.toFixed(1));
  } finally {
    await fixture.stop();
  }
}

/** One profile for each Service, beside the bare client. */
async function benchEach(fixture: LoadFixture, load: ServiceLoad): Promise<void> {
  const client = new BareClient(await recordEvents(services / 2), fixture);
  const bare: Times = { created: [], deleted: [] };
  await asFarAsItGoes(() => client.run(load, services, bare));
  const sluice: Times = { created: [], deleted: [] };
  await withController(fixture, exampleManifests("network-policy/*.yaml"), (controller) =>
    asFarAsItGoes(() => runSluice(load, controller, sluice)),
  );
  const again: Times = { created: [], deleted: [] };
  await asFarAsItGoes(() => client.run(load, services, again));
  for (const way of ["created", "deleted"] as const) {
    if ([sluice, bare, again].some((each) => each[way].length === 0)) continue;
    const [ours, theirs] = [spreadOf(sluice[way]), spreadOf([...bare[way], ...again[way]])];
    reportAtMost(`${titles[way]}: median, times of the bare client`, ours.median / theirs.median, 3, "x");
    reportNote(
      "99 % and worst, times of the bare client",
      `${(ours.p99 / theirs.p99).toFixed(1)}x, ${(ours.worst / theirs.worst).toFixed(1)}x`,
    );
    reportNote("Sluice", spreadText(ours));
    reportNote("bare client before", spreadText(spreadOf(bare[way])));
    reportNote("bare client after", spreadText(spreadOf(again[way])));
  }
}

/** One profile for all Services. Its content grows with them, so there is no bare client without decisions to compare with. */
async function benchShared(fixture: LoadFixture, load: ServiceLoad): Promise<void> {
  const times: Times = { created: [], deleted: [] };
  const trigger = exampleManifests("network-policy/*.yaml").map(sharedForm);
  reportNote("one profile for all Services:", "");
  await withController(fixture, trigger, (controller) => asFarAsItGoes(() => runSluice(load, controller, times)));
  for (const way of ["created", "deleted"] as const) if (times[way].length > 0) reportNote(titles[way], spreadText(spreadOf(times[way])));
}

/** Prints what is missing of a round that did not end in time. */
async function asFarAsItGoes(round: () => Promise<void>): Promise<void> {
  try {
    await round();
  } catch (error) {
    if (!(error instanceof IncompleteRound)) throw error;
    reportNote("OVER", error.message);
  }
}

const titles = { created: "Service to NetworkPolicy", deleted: "Service gone to NetworkPolicy gone" } as const;

/** The example with a template over all resources. */
function sharedForm(object: KubeObject): KubeObject {
  if (object.kind === "EventBasedAddOn") {
    // Under a name of its own: the field cannot be changed, and the other one may still be going.
    const metadata = { ...object.metadata, name: `${object.metadata.name}-shared` };
    return { ...object, metadata, spec: { ...(object["spec"] as object), oneForEvent: false } };
  }
  if (object.kind !== "ConfigMap") return object;
  const [[key, text]] = Object.entries(object["data"] as Record<string, string>) as [[string, string]];
  const each = text.replaceAll(".Resource.", "$each.");
  return { ...object, data: { [key]: `{{ range $each := .Resources }}\n---\n${each}{{ end }}` } };
}

async function withController(
  { hub, kubeconfig }: LoadFixture,
  manifests: readonly KubeObject[],
  work: (controller: ControllerProcess) => Promise<void>,
): Promise<void> {
  for (const object of manifests) await hub.apply(object, { manager: "kubectl", force: true });
  const controller = startController(kubeconfig);
  try {
    await work(controller);
    for (const object of manifests) await hub.delete(refOf(object));
  } finally {
    await controller.end();
  }
}

async function runSluice(load: ServiceLoad, controller: ControllerProcess, times: Times): Promise<void> {
  await load.run(idleClient, "first", 1);
  const some = await load.create(idleClient, "some", sample);
  await load.run(idleClient, "warm-up", sample);
  const besideFew = await costOf(controller, () => load.run(idleClient, "few", sample), sample);
  let all: readonly string[] = [];
  const coming = await costOf(controller, async () => void (all = await load.create(idleClient, "sluice", services, times)), services);
  const besideMany = await costOf(controller, () => load.run(idleClient, "many", sample), sample);
  const going = await costOf(controller, () => load.delete(idleClient, all, times), services);
  await load.delete(idleClient, some);
  reportAtMost(
    `CPU of an event beside ${services + sample} matches, times beside ${sample}`,
    besideMany.cpuMs / besideFew.cpuMs,
    flat,
    "x",
  );
  reportNote(`an event beside ${sample} matches, to and fro`, costText(besideFew));
  reportNote(`an event beside ${services + sample} matches, to and fro`, costText(besideMany));
  reportNote(`an event of ${services}, to and fro`, `${costText(coming)}; ${costText(going)}`);
  reportNote("memory of the controller at most", `${controller.peakMiB().toFixed(0)} MiB`);
}

/** For one event. */
type EventCost = { readonly cpuMs: number; readonly sentKB: number; readonly receivedKB: number };

async function costOf(controller: ControllerProcess, work: () => Promise<void>, events: number): Promise<EventCost> {
  const [cpu, io] = [controller.cpuMs(), controller.bytes()];
  await work();
  const after = controller.bytes();
  return {
    cpuMs: (controller.cpuMs() - cpu) / events,
    sentKB: (after.sent - io.sent) / events / 1000,
    receivedKB: (after.received - io.received) / events / 1000,
  };
}

function costText({ cpuMs, sentKB, receivedKB }: EventCost): string {
  return `${cpuMs.toFixed(1)} ms CPU, ${sentKB.toFixed(0)} KB sent, ${receivedKB.toFixed(0)} KB received`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await (process.argv[2] === "embedded" ? benchEmbeddedLoad() : benchLoad());
