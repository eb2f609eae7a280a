/**
 * One release of ten ranks on a real control plane, whose pods KWOK makes ready at once: a bare client that does no more
 * than it must, Sluice and kapp in order, and Helm, which knows no order, flat. Side by side in one run, each in a
 * namespace of its own.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openCluster } from "../src/kube/index.ts";
import { startCluster } from "../test/cluster/start.ts";
import { buildControlPlane, buildHelm, buildKapp } from "../test/cluster/toolchain.ts";
import { startKwok } from "./kwok.ts";
import { contestants, type Contestant, type Course } from "./race-contestant.ts";
import { Arena } from "./race-arena.ts";
import type { Cost } from "./process.ts";
import { note, report } from "./report.ts";

const rounds = 2;
const log = (line: string) => void process.stdout.write(`     ${line}\n`);

/** What each lap of a contestant has cost, round by round. */
type Laps = Readonly<Record<keyof Course, Cost[]>>;

/** Runs the race and prints how Sluice did against the others. */
export async function race(): Promise<void> {
  const programs = { kapp: await buildKapp(log), helm: await buildHelm(log) };
  const running = await startCluster(await buildControlPlane(log), { name: "race" });
  const folder = mkdtempSync(join(tmpdir(), "sluice-bench-race-"));
  const opened = await openCluster({ kubeconfig: running.kubeconfig });
  try {
    const kwok = await startKwok(opened.cluster, running.kubeconfig, log);
    try {
      const all = contestants({ ...programs, kubeconfig: running.kubeconfig, folder });
      tell(await raced(all, new Arena(opened.cluster)));
    } finally {
      await kwok.stop();
    }
  } finally {
    opened.close();
    await running.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Rounds go back and forth, so that nobody always comes first; whoever is slow goes once. */
async function raced(all: readonly Contestant[], arena: Arena): Promise<ReadonlyMap<string, Laps>> {
  const results = new Map(all.map(({ name }): [string, Laps] => [name, { deploy: [], again: [], delete: [] }]));
  for (let round = 0; round < rounds; round++) {
    const starters = all.filter(({ once }) => !once || round === rounds - 1);
    for (const contestant of round % 2 === 0 ? starters : starters.toReversed()) {
      const laps = results.get(contestant.name)!;
      await arena.enter(`${contestant.name}-${round}`, async (namespace) => {
        const course = contestant.course(namespace);
        laps.deploy.push(await course.deploy());
        await arena.expect(namespace, "ready");
        if (course.again !== undefined) laps.again.push(await course.again());
        if (course.delete === undefined) return;
        laps.delete.push(await course.delete());
        await arena.expect(namespace, "gone");
      });
    }
  }
  return results;
}

function tell(results: ReadonlyMap<string, Laps>): void {
  const best = (name: string, lap: keyof Course, what: keyof Cost = "wallMs") =>
    Math.min(...results.get(name)![lap].map((cost) => cost[what]));
  const ratio = (lap: keyof Course, other: string, what: keyof Cost = "wallMs") => best("sluice", lap, what) / best(other, lap, what);
  report("ordered deploy: Sluice, times of the limit", ratio("deploy", "limit"), 1.3, "x");
  report("deploy that changes nothing: Sluice, times of kapp", ratio("again", "kapp"), 1.3, "x");
  report("ordered delete: Sluice, times of kapp", ratio("delete", "kapp"), 1.5, "x");
  report("CPU of the deploy: Sluice, times of kapp", ratio("deploy", "kapp", "cpuMs"), 1, "x");
  report("ordered deploy: Sluice, times of kapp", ratio("deploy", "kapp"), 1 / 6, "x");
  report("deploy: Sluice in order, times of Helm flat", ratio("deploy", "helm"), 1 / 6, "x");
  for (const [name, laps] of results)
    for (const [lap, costs] of Object.entries(laps))
      if (costs.length > 0) note(`${name}, ${lap}: wall / CPU`, costs.map(costText).join(", "));
  note("load of the machine", loadavg()[0]!.toFixed(1));
}

function costText({ wallMs, cpuMs }: Cost): string {
  return `${(wallMs / 1000).toFixed(2)} / ${(cpuMs / 1000).toFixed(2)} s`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await race();
