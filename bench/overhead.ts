import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { RealClock, type Clock } from "../src/clock/index.ts";
import { connect, type Cluster } from "../src/kube/index.ts";
import { listAt, type KubeObject } from "../src/object/index.ts";
import { apply, prepare } from "../src/release/apply/index.ts";
import { parseBehaviour } from "../src/sim/behaviour/index.ts";
import { simulate } from "../src/sim/index.ts";
import { readManifests } from "../src/yaml/index.ts";
import { deployByRank } from "./limit.ts";
import { note, report } from "./report.ts";

const ranks = 10;
const perRank = 20;
const eachMs = 2000;
const criticalPathMs = ranks * eachMs;

/**
 * How much longer than its critical path a deploy takes: ten ranks of twenty load balancers, each of which gets its
 * address after two seconds; embedded, in real time. A bare client goes first, and shows what the embedded cluster adds
 * by itself.
 */
export async function overhead(): Promise<void> {
  const clock = new RealClock();
  const { behaviour } = parseBehaviour([{ match: { kind: "Service" }, address: `${eachMs}ms` }]);
  const { exchange, stop } = simulate({ clock, behaviour });
  try {
    const cluster = (namespace: string) => connect(exchange, { clock, namespace });
    for (const name of ["bare", "sluice"]) await cluster("").create({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
    const bareMs = await timed(clock, () => deployByRank(rankedServices("bare"), cluster("bare"), hasAddress));
    const cpu = process.cpuUsage();
    const tookMs = await timed(clock, () => deploy(rankedServices("sluice").flat(), cluster("sluice")));
    const { user, system } = process.cpuUsage(cpu);
    report(`${ranks} ranks of ${perRank} objects: beyond the critical path`, (tookMs / criticalPathMs - 1) * 100, 2, " %");
    note("it took; a bare client; the critical path", `${seconds(tookMs)}; ${seconds(bareMs)}; ${seconds(criticalPathMs)}`);
    note("CPU, with the embedded cluster's; load of the machine", `${seconds((user + system) / 1000)}; ${loadavg()[0]!.toFixed(1)}`);
  } finally {
    stop();
  }
}

async function timed(clock: Clock, work: () => Promise<void>): Promise<number> {
  const startedAt = clock.now();
  await work();
  return clock.now() - startedAt;
}

/** From manifests as they are written to the last object that is ready, as `sluice apply` goes. */
async function deploy(objects: readonly KubeObject[], cluster: Cluster): Promise<void> {
  const { signal } = new AbortController();
  const { manifests } = readManifests(objects.map((object) => JSON.stringify(object)).join("\n---\n"), "bench.yaml");
  const { items } = await prepare(manifests, cluster, { signal });
  let ready = 0;
  for await (const { type, verb } of apply(items, cluster, { signal })) if (type === "finished" && verb === "await") ready++;
  if (ready !== objects.length) throw new Error(`only ${ready} of ${objects.length} objects became ready`);
}

function rankedServices(namespace: string): readonly (readonly KubeObject[])[] {
  return Array.from({ length: ranks }, (_, rank) =>
    Array.from({ length: perRank }, (__, at) => ({
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: `web-${rank}-${at}`, namespace, annotations: { "werf.io/weight": String(rank) } },
      spec: { type: "LoadBalancer", selector: { app: "web" }, ports: [{ port: 80 }] },
    })),
  );
}

function hasAddress(service: KubeObject): boolean {
  return listAt(service, "status.loadBalancer.ingress").length > 0;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await overhead();
