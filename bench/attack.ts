/**
 * A controller under attack: 200 profiles of ten tenants, one of whom sends a new hostile object every second. Measured is how long
 * the events of the other nine take, quiet and under attack, whether the controller restarts or loses a Lease, and how long its
 * probe takes to answer.
 *
 * `npm run bench:attack -- --minutes 10 --quiet 1 --only REGEX --program dist/sluice.js --log FILE`
 */
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { chartArchive, serveCharts } from "../test/support/chart/chart-repository.ts";
import { startController, type ControllerProcess } from "./controller-process.ts";
import { hostileCharts, hostileKinds, hostileObjects } from "./hostile-objects.ts";
import { openEmbeddedFixture, type LoadFixture } from "./load-fixture.ts";
import { ProbeTimes } from "./probe-times.ts";
import { residentMiBOf } from "./process.ts";
import { reportAtMost, reportNote } from "./report.ts";
import { spreadOf, spreadText } from "./spread.ts";
import { sleep, TenantLoad, tenantNumber, type TenantTimes } from "./tenant-load.ts";

const { values: flags } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    quiet: { type: "string", default: "1" },
    every: { type: "string", default: "3000" },
    program: { type: "string" },
    log: { type: "string" },
    only: { type: "string", default: "" },
  },
});

const tenants = Array.from({ length: 10 }, (_, at) => tenantNumber(at));
const [hostile, ...others] = tenants as [(typeof tenants)[number], ...typeof tenants];
const profilesOfEach = 20;
const kinds = hostileKinds.filter((kind) => new RegExp(flags.only).test(kind));
if (kinds.length === 0) throw new Error(`--only ${flags.only}: expected some of ${hostileKinds.join(", ")}`);
const metricsAddress = "127.0.0.1:18471";

const fixture = await openEmbeddedFixture();
const charts = await serveCharts(
  Object.fromEntries(Object.entries(hostileCharts).map(([name, files]) => [name, chartArchive(name, files)])),
);
const controller = startController(fixture.kubeconfig, {
  metricsAddress,
  ...(flags.program === undefined ? {} : { program: flags.program }),
  ...(flags.log === undefined ? {} : { log: flags.log }),
});
try {
  const load = new TenantLoad(fixture, profilesOfEach);
  await load.open(tenants);
  reportNote(`${tenants.length * profilesOfEach} profiles of ${tenants.length} tenants are deployed`, memoryText(controller));
  const everyMs = Number(flags.every);
  await load.run(others, everyMs, 10_000);
  const probe = new ProbeTimes(`http://${metricsAddress}/healthz`);
  const quiet = await load.run(others, everyMs, Number(flags.quiet) * 60_000);
  const quietProbe = probe.take();
  reportTimes("quiet", quiet);
  const leases = await leaseHolders(fixture);
  const stop = new AbortController();
  const attack = sendHostileObjects(fixture, charts.url, stop.signal);
  const attacked = await load.run(others, everyMs, Number(flags.minutes) * 60_000);
  stop.abort();
  const sent = await attack;
  probe.end();
  reportTimes("under attack", attacked);
  reportNote("hostile objects sent", String(sent));
  for (const what of ["events", "changes"] as const)
    if (attacked[what].length > 0)
      reportAtMost(
        `${what} under attack: median, times the quiet one`,
        spreadOf(attacked[what]).median / spreadOf(quiet[what]).median,
        2,
        "x",
      );
  reportAtMost("events and changes that did not arrive in a minute", attacked.missing, 0);
  reportAtMost("restarts of the controller", controller.hasExited() ? 1 : 0, 0);
  reportAtMost("Leases lost", (await leaseHolders(fixture)).filter((each) => !leases.includes(each)).length, 0);
  const probed = probe.take();
  reportNote("/healthz quiet", spreadText(spreadOf(quietProbe)));
  reportNote("/healthz under attack", `${spreadText(spreadOf(probed))}; ${probe.failures} of ${probed.length} not within 5 s`);
  reportNote("memory of the controller", memoryText(controller));
  reportNote("load of the machine", loadavg()[0]!.toFixed(1));
} finally {
  await controller.end();
  charts.close();
  await fixture.stop();
}

function reportTimes(when: string, { events, changes, missing }: TenantTimes): void {
  reportNote(`event to deployed, ${when}`, events.length === 0 ? "none" : `${spreadText(spreadOf(events))} (${events.length})`);
  reportNote(
    `changed template to deployed, ${when}`,
    changes.length === 0 ? "none" : `${spreadText(spreadOf(changes))} (${changes.length})`,
  );
  if (missing > 0) reportNote(`did not arrive in a minute, ${when}`, String(missing));
}

function memoryText({ pid, hasExited, peakMiB }: ControllerProcess): string {
  return hasExited() ? "it has ended" : `${residentMiBOf(pid).toFixed(0)} MiB, at most ${peakMiB().toFixed(0)} MiB`;
}

/** Sends one hostile object a second, and gives how many it was. */
async function sendHostileObjects({ hub }: LoadFixture, repository: string, signal: AbortSignal): Promise<number> {
  for (let number = 0; ; number++) {
    if (signal.aborted) return number;
    for (const object of hostileObjects(hostile, number, repository, kinds))
      await hub.apply(object, { manager: "kubectl", force: true }).catch((error: unknown) => {
        process.stderr.write(`hostile object ${number} is refused: ${String(error).slice(0, 200)}\n`);
      });
    await sleep(1000);
  }
}

/** Who holds each Lease. */
async function leaseHolders({ hub }: LoadFixture): Promise<readonly string[]> {
  const { items } = await hub.list({ group: "coordination.k8s.io", version: "v1", kind: "Lease" });
  return items.map(
    ({ metadata, spec }) =>
      `${metadata.namespace}/${metadata.name} ${JSON.stringify((spec as { holderIdentity?: string }).holderIdentity)} ${JSON.stringify((spec as { leaseTransitions?: number }).leaseTransitions)}`,
  );
}
