import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { RealClock, type Clock } from "../src/core/clock/index.ts";
import { connect, type Cluster } from "../src/kube/index.ts";
import { stringAt, type KubeObject } from "../src/core/object/index.ts";
import { apply } from "../src/release/apply/index.ts";
import { prepare } from "../src/release/prepare/index.ts";
import { parseBehaviour } from "../src/embedded/behaviour/index.ts";
import { startEmbeddedCluster } from "../src/embedded/index.ts";
import { readManifests } from "../src/lang/yaml/index.ts";
import { deployByRank } from "./deploy-by-rank.ts";
import { reportNote, reportAtMost } from "./report.ts";

const ranks = 10;
const perRank = 20;
const eachMs = 2000;
const criticalPathMs = ranks * eachMs;

/**
 * What a deploy adds to its critical path: ten ranks of twenty volume claims, each bound after two seconds, on an embedded
 * cluster in real time. A bare client deploys the same, to measure the path on this cluster, which has work with each claim in
 * the same thread.
 */
export async function benchOverhead(): Promise<void> {
  const clock = new RealClock();
  const { behaviour } = parseBehaviour([{ match: { kind: "PersistentVolumeClaim" }, bind: `${eachMs}ms` }]);
  const { exchange, stop } = startEmbeddedCluster({ clock, behaviour });
  try {
    const cluster = (namespace: string) => connect(exchange, { clock, namespace });
    for (const name of ["warm", "bare", "sluice"]) await cluster("").create({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
    await deployByRank(rankedClaims("warm").slice(0, 2), cluster("warm"), isBound);
    const bareMs = await timed(clock, () => deployByRank(rankedClaims("bare"), cluster("bare"), isBound));
    const cpu = process.cpuUsage();
    const tookMs = await timed(clock, () => deploy(rankedClaims("sluice").flat(), cluster("sluice")));
    const { user, system } = process.cpuUsage(cpu);
    reportAtMost(`${ranks} ranks of ${perRank} objects: beyond the critical path`, (tookMs / bareMs - 1) * 100, 2, " %");
    reportNote("it took, and a bare client", `${seconds(tookMs)} and ${seconds(bareMs)}`);
    reportNote(`beyond the ${seconds(criticalPathMs)} of the claims alone`, `${((tookMs / criticalPathMs - 1) * 100).toFixed(2)} %`);
    reportNote("CPU, with the embedded cluster's; load of the machine", `${seconds((user + system) / 1000)}; ${loadavg()[0]!.toFixed(1)}`);
  } finally {
    stop();
  }
}

async function timed(clock: Clock, work: () => Promise<void>): Promise<number> {
  const startedAt = clock.now();
  await work();
  return clock.now() - startedAt;
}

/** Deploys as `sluice apply` does, from the text of the manifests to the last ready object. */
async function deploy(objects: readonly KubeObject[], cluster: Cluster): Promise<void> {
  const { signal } = new AbortController();
  const { manifests } = readManifests(objects.map((object) => JSON.stringify(object)).join("\n---\n"), "bench.yaml");
  const { items } = await prepare(manifests, cluster, { signal });
  let ready = 0;
  for await (const event of apply(items, cluster, { signal })) if (event.type === "finished" && event.verb === "await") ready++;
  if (ready !== objects.length) throw new Error(`only ${ready} of ${objects.length} objects became ready`);
}

function rankedClaims(namespace: string): readonly (readonly KubeObject[])[] {
  return Array.from({ length: ranks }, (_, rank) =>
    Array.from({ length: perRank }, (__, at) => ({
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name: `data-${rank}-${at}`, namespace, annotations: { "werf.io/weight": String(rank) } },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    })),
  );
}

function isBound(claim: KubeObject): boolean {
  return stringAt(claim, "status.phase") === "Bound";
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await benchOverhead();
