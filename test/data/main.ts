/**
 * Kills `sluice cluster --data` at random moments under load, starts it again, and compares with what it had answered: nothing may
 * be lost, undone, or have a lower resourceVersion. Every other run has --fsync, and loses with its kill what a power cut may take.
 *
 * `--kills COUNT` (default 20), `--seed NUMBER`, `--program FILE` (default: the sources; `dist/sluice.js` starts sooner).
 */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { RealClock, sleep } from "../../src/core/clock/index.ts";
import { listAt, stringAt } from "../../src/core/object/index.ts";
import { seededRandom } from "../../src/embedded/seeded-random.ts";
import { AcknowledgedWrites } from "./acknowledged-writes.ts";
import { ClusterProcess } from "./cluster-process.ts";
import { collection, writeUntilGone } from "./load.ts";
import { cutPower } from "./power-cut.ts";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "20" },
    seed: { type: "string" },
    program: { type: "string", default: join(import.meta.dirname, "..", "..", "src", "cli", "main.ts") },
  },
});
const kills = Number(values.kills);
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e6));
const random = seededRandom(seed);
const clock = new RealClock();
const startedAt = clock.now();
const folder = mkdtempSync(join(tmpdir(), "sluice-data-"));
const data = join(folder, "data");
const kubeconfig = join(folder, "kubeconfig");
const synced = join(folder, "synced");
const writes = new AcknowledgedWrites();
const problems: string[] = [];
const figures = { startsKilled: 0, powerCuts: 0, bytesTaken: 0, unfinished: 0, snapshots: new Set<string>() };
let pods: string | undefined;

/** The Pods of a Deployment, which must run on over all kills. */
async function podsOf(server: ClusterProcess): Promise<string> {
  const answer = await server.request("GET", "/api/v1/namespaces/load/pods");
  const lines = listAt(answer?.body, "items").map((pod) => `${stringAt(pod, "metadata.uid")} ${stringAt(pod, "status.phase")}`);
  return lines.toSorted().join(", ");
}

async function prepare(server: ClusterProcess): Promise<void> {
  await server.request("POST", "/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: "load" } });
  const template = { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "app", image: "app" }] } };
  const spec = { replicas: 3, selector: { matchLabels: { app: "web" } }, template };
  const deployment = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" }, spec };
  await server.request("POST", "/apis/apps/v1/namespaces/load/deployments", deployment);
  const running = Promise.withResolvers<void>();
  server.watch("/apis/apps/v1/namespaces/load/deployments?watch=true", (event) => {
    if (JSON.stringify(event).includes('"readyReplicas":3')) running.resolve();
  });
  await running.promise;
}

async function check(server: ClusterProcess, round: number): Promise<void> {
  const list = await server.request("GET", `${collection}?labelSelector=!none`);
  const all = listAt(list?.body, "items").filter((item) => stringAt(item, "metadata.name", "").startsWith("w"));
  problems.push(...writes.problemsIn({ ...(list?.body as object), items: all }).map((problem) => `kill ${round}: ${problem}`));
  const now = await podsOf(server);
  pods ??= now;
  if (now !== pods) problems.push(`kill ${round}: the Pods were ${pods}, and are ${now}`);
}

/** One start, some load, and a kill at a random moment: of every fifth start, before it is ready. */
async function run(round: number): Promise<void> {
  const isPowerCut = round % 2 === 1;
  const how = isPowerCut ? { flags: ["--data", data, "--fsync"], synced } : { flags: ["--data", data] };
  const server = new ClusterProcess({ program: values.program, kubeconfig, ...how });
  try {
    if (round > 0 && round < kills && random() < 0.2) {
      figures.startsKilled++;
      await Promise.race([server.ready, sleep(clock, random() * 600)]);
      return;
    }
    await server.ready;
    if (round === 0) await prepare(server);
    await check(server, round);
    if (round === kills) return;
    const load = writeUntilGone(server, writes, random);
    await Promise.race([load, writes.after(Math.floor(random() * 200))]);
    await sleep(clock, random() * 5);
    await server.kill();
    await load;
  } finally {
    await server.kill();
    if (server.said.includes("removed the last")) figures.unfinished++;
    if (isPowerCut) {
      figures.powerCuts++;
      figures.bytesTaken += cutPower(data, synced, random);
    }
    for (const name of readdirSync(data)) if (/^snapshot-\d+$/.test(name)) figures.snapshots.add(name);
  }
}

try {
  for (let round = 0; round <= kills && problems.length === 0; round++) await run(round);
} finally {
  const took = Math.round((clock.now() - startedAt) / 1000);
  const { startsKilled, powerCuts, bytesTaken, unfinished, snapshots } = figures;
  process.stdout.write(
    `${kills} kills in ${took} s (seed ${seed}): ${writes.count} writes answered up to resourceVersion ${writes.highest}; ` +
      `${startsKilled} starts killed, ${powerCuts} power cuts took ${bytesTaken} bytes, ` +
      `${unfinished} unfinished writes removed, ${snapshots.size} snapshots\n`,
  );
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  process.stdout.write(problems.length === 0 ? "nothing lost\n" : `kept for inspection: ${folder}\n`);
  if (problems.length > 0) process.exitCode = 1;
  else rmSync(folder, { recursive: true, force: true });
}
