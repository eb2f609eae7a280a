/**
 * Deploys and deletes releases on a real control plane, whose pods KWOK makes ready at once, with a minimal client, with
 * Sluice and kapp, and with Helm: one of ten ranks, which Helm knows nothing of, one in deletion phases, and flat ones. Every deletion ends when
 * the pods are gone too. Each has its own namespace in the same run.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { openCluster } from "../src/kube/index.ts";
import { startCluster } from "../test/cluster/start-cluster.ts";
import { buildControlPlane, buildHelm, buildKapp } from "../test/cluster/toolchain.ts";
import { startKwok } from "./kwok.ts";
import { bundleBareClient, raceTools, type RaceTool, type ToolRuns } from "./race-tools.ts";
import type { RaceSize } from "./race-manifests.ts";
import { RaceNamespaces } from "./race-namespaces.ts";
import type { ProcessCost } from "./process.ts";
import { reportNote, reportAtMost } from "./report.ts";

type Race = RaceSize & { readonly name: string };

/** The same 200 objects without an order and in order, 300 in deletion phases, and 1,000. */
const races: readonly Race[] = [
  { name: "flat, 200", ranks: 1, ofEachKind: 100 },
  { name: "ordered", ranks: 10, ofEachKind: 10 },
  { name: "phased", ranks: 3, ofEachKind: 50, phased: true },
  { name: "flat, 1000", ranks: 1, ofEachKind: 500 },
];
const rounds = 2;
const log = (line: string) => void process.stdout.write(`     ${line}\n`);

/** The costs of each run of a tool, by round. */
type ToolCosts = Readonly<Record<keyof ToolRuns, ProcessCost[]>>;

/** Runs the races whose names match, by default all, and prints how Sluice did against the others. */
export async function benchRace(only = /(?:)/): Promise<void> {
  const chosen = races.filter(({ name }) => only.test(name));
  if (chosen.length === 0) throw new Error(`no race is called ${only.source}: there are ${races.map(({ name }) => name).join("; ")}`);
  const folder = mkdtempSync(join(tmpdir(), "sluice-bench-race-"));
  const programs = { bareClient: await bundleBareClient(folder), kapp: await buildKapp(log), helm: await buildHelm(log) };
  const running = await startCluster(await buildControlPlane(log), { name: "race" });
  const opened = await openCluster({ kubeconfig: running.kubeconfig });
  try {
    const kwok = await startKwok(opened.cluster, running.kubeconfig, log);
    try {
      const all = raceTools({ ...programs, kubeconfig: running.kubeconfig, folder });
      for (const race of chosen) reportResults(race, await runRounds(all, race, new RaceNamespaces(opened.cluster)));
    } finally {
      await kwok.stop();
    }
  } finally {
    opened.close();
    await running.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Every other round runs in reverse, so that no tool is always first. Slow tools run once. */
async function runRounds(
  all: readonly RaceTool[],
  { name: race, ...size }: Race,
  namespaces: RaceNamespaces,
): Promise<ReadonlyMap<string, ToolCosts>> {
  const results = new Map(all.map(({ name }): [string, ToolCosts] => [name, { deploy: [], again: [], delete: [] }]));
  for (let round = 0; round < rounds; round++) {
    const starters = all
      .filter(({ phases }) => phases || size.phased !== true)
      .filter(({ once }) => !once || (round === rounds - 1 && size.ranks * size.ofEachKind <= 100));
    for (const tool of round % 2 === 0 ? starters : starters.toReversed()) {
      const costs = results.get(tool.name)!;
      await namespaces.withNamespace(`${tool.name}-${race.replaceAll(/\W/g, "")}-${round}`, async (namespace) => {
        const runs = tool.runsIn(namespace, size);
        costs.deploy.push(await runs.deploy());
        await namespaces.expectReady(namespace, size.ranks * size.ofEachKind);
        if (runs.again !== undefined) costs.again.push(await runs.again());
        costs.delete.push(await runs.delete());
        await namespaces.expectGone(namespace);
        // Said at once: a slow tool takes minutes.
        for (const [run, runCosts] of Object.entries(costs)) {
          const last = runCosts.at(-1);
          if (last !== undefined) reportNote(`${race}, round ${round + 1}, ${tool.name}, ${run}: wall / CPU`, costText(last));
        }
      });
    }
  }
  return results;
}

function reportResults({ name: race, ranks, phased = false }: Race, results: ReadonlyMap<string, ToolCosts>): void {
  const best = (name: string, run: keyof ToolRuns, what: keyof ProcessCost = "wallMs") =>
    Math.min(...results.get(name)![run].map((cost) => cost[what]));
  const ratio = (run: keyof ToolRuns, other: string, what: keyof ProcessCost = "wallMs") =>
    best("sluice", run, what) / best(other, run, what);
  if (ranks > 1 && !phased) {
    reportAtMost("ordered deploy: Sluice, times of the limit as a process", ratio("deploy", "limit-process"), 1.3, "x");
    reportAtMost("ordered deploy: Sluice, times of the limit in a warm process", ratio("deploy", "limit"), 1.3, "x");
    reportAtMost("deploy that changes nothing: Sluice, times of kapp", ratio("again", "kapp"), 1.3, "x");
    reportAtMost("CPU of the deploy: Sluice, times of kapp", ratio("deploy", "kapp", "cpuMs"), 1, "x");
    reportAtMost("ordered deploy: Sluice, times of kapp", ratio("deploy", "kapp"), 1 / 6, "x");
    reportAtMost("deploy: Sluice in order, times of Helm flat", ratio("deploy", "helm"), 1 / 6, "x");
  }
  reportAtMost(`${race} delete: Sluice, times of the limit as a process`, ratio("delete", "limit-process"), 1.3, "x");
  reportAtMost(`${race} delete: Sluice, times of the limit in a warm process`, ratio("delete", "limit"), 1.3, "x");
  if (!phased) reportAtMost(`${race} delete: Sluice, times of kapp`, ratio("delete", "kapp"), 1, "x");
  if (results.get("helm")!.delete.length > 0) reportAtMost(`${race} delete: Sluice, times of Helm flat`, ratio("delete", "helm"), 1, "x");
  reportNote("load of the machine", loadavg()[0]!.toFixed(1));
}

function costText({ wallMs, cpuMs }: ProcessCost): string {
  return `${(wallMs / 1000).toFixed(2)} / ${(cpuMs / 1000).toFixed(2)} s`;
}
