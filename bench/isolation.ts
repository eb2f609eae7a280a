/**
 * `npm run bench:isolation -- DIR [REGEX]`: renders public charts as the controller does, in its own process and in a worker, and
 * compares what comes out and what it costs. The folder is laid out as for `conformance:charts`.
 */
import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { channelTasks } from "../test/support/deploy/channel-tasks.ts";
import { releaseText, summaryScope } from "../test/support/deploy/release-text.ts";
import { profileWorkerPool } from "../src/cli/controller/worker-process.ts";
import { RealClock } from "../src/core/clock/index.ts";
import { startEmbeddedCluster } from "../src/embedded/index.ts";
import { connect } from "../src/kube/index.ts";
import { loadChartAt } from "../src/release/load/index.ts";
import { packageChart } from "../src/repository/index.ts";
import type { HelmChartRef } from "../src/sveltos/api/index.ts";
import { OwnedTasks } from "../src/sveltos/deploy/owned-tasks.ts";
import { renderChart } from "../src/sveltos/deploy/charts/render-chart.ts";
import { cpuMsOf } from "./process.ts";
import { reportAtLeast, reportAtMost, reportNote } from "./report.ts";

const rounds = 3;
const { signal } = new AbortController();
const clock = new RealClock();
const environment = { now: () => Date.parse("2024-01-02T03:04:05Z"), randomBytes: (count: number) => new Uint8Array(count) };

type PackedChart = { readonly name: string; readonly archive: Uint8Array };

/** The charts that are no part of another one. */
function chartsIn(folder: string, only: RegExp): readonly PackedChart[] {
  const paths = globSync("**/Chart.yaml", { cwd: folder }).map(dirname);
  const whole = paths.filter((path) => !paths.some((other) => path.startsWith(`${other}/`)) && only.test(path)).toSorted();
  return whole.map((name) => ({ name, archive: packageChart(loadChartAt(join(folder, name))) }));
}

async function compare(charts: readonly PackedChart[]): Promise<void> {
  const { exchange, stop } = startEmbeddedCluster({ clock });
  const cluster = connect(exchange, { clock });
  const pool = profileWorkerPool(clock, join(import.meta.dirname, "../src/cli/main.ts"));
  const inWorker = new OwnedTasks(pool, summaryScope, signal);
  // A worker has a clock and randomness of its own, so what comes out is compared through the channel alone.
  const throughChannel = new OwnedTasks(channelTasks(environment), summaryScope, signal);
  const outcomeOf = async ({ name, archive }: PackedChart, tasks: OwnedTasks | undefined) => {
    const source = () => Promise.resolve({ archive, title: `load ${name}`, warn: () => undefined });
    const desired = {
      chart: { chartName: name } as unknown as HelmChartRef,
      release: { name: "release-name", namespace: "default" },
      values: [],
      valuesHash: "",
    };
    const context = { hub: cluster, cluster, environment, identity: "bench", charts: source };
    return renderChart(desired, context, { patches: [], signal, tasks }).catch((error: Error) => error);
  };
  const passOf = async (tasks: OwnedTasks | undefined) => {
    const [startedAt, before, workersBefore] = [performance.now(), process.cpuUsage(), workersCpuMs()];
    for (const chart of charts) {
      const outcome = await outcomeOf(chart, tasks);
      if (outcome instanceof Error && outcome.name === "TaskEnded") reportNote("ended", outcome.message);
    }
    const { user, system } = process.cpuUsage(before);
    const ownCpuMs = (user + system) / 1000;
    return { wallMs: performance.now() - startedAt, ownCpuMs, cpuMs: ownCpuMs + workersCpuMs() - workersBefore };
  };
  try {
    const differing: string[] = [];
    let chosenByChance = 0;
    for (const chart of charts) {
      const [here, again] = [textOf(await outcomeOf(chart, undefined)), textOf(await outcomeOf(chart, undefined))];
      const there = textOf(await outcomeOf(chart, throughChannel));
      if (here === there) continue;
      // Keys and certificates have a randomness of their own.
      if (here !== again) chosenByChance++;
      else differing.push(`${chart.name}: ${firstDifference(here, there)}`);
    }
    reportAtMost(`of ${charts.length} charts that differ in a worker`, differing.length, 0);
    for (const each of differing) reportNote("differs", each);
    reportNote("not compared, because they differ each time", String(chosenByChance));
    const passes: { readonly here: Awaited<ReturnType<typeof passOf>>; readonly there: Awaited<ReturnType<typeof passOf>> }[] = [];
    for (let round = 0; round < rounds; round++) passes.push({ here: await passOf(undefined), there: await passOf(inWorker) });
    const least = (part: (pass: (typeof passes)[number]) => number) => Math.min(...passes.map(part));
    const wall = { here: least(({ here }) => here.wallMs), there: least(({ there }) => there.wallMs) };
    const cpu = { here: least(({ here }) => here.cpuMs), there: least(({ there }) => there.cpuMs) };
    reportAtLeast("renders for a second of the processor, by a worker over in the process", cpu.here / cpu.there, 0.9, "x");
    reportNote("CPU of all processes, in the process and by a worker", `${cpu.here.toFixed(0)} ms and ${cpu.there.toFixed(0)} ms`);
    reportAtLeast("renders for a second on the clock", wall.here / wall.there, 0.9, "x");
    reportNote("on the clock, in the process and by a worker", `${wall.here.toFixed(0)} ms and ${wall.there.toFixed(0)} ms`);
    reportNote("CPU of the controller's own process with a worker", `${least(({ there }) => there.ownCpuMs).toFixed(0)} ms`);
    reportNote("load of the machine", (loadavg()[0] ?? 0).toFixed(2));
  } finally {
    pool.close();
    stop();
  }
}

/** What the children of this process have had of the processor. */
function workersCpuMs(): number {
  const pids = readFileSync(`/proc/self/task/${process.pid}/children`, "latin1").trim();
  return pids === "" ? 0 : pids.split(" ").reduce((sum, pid) => sum + cpuMsOf(Number(pid)), 0);
}

type Outcome = Awaited<ReturnType<typeof renderChart>> | Error;

function textOf(outcome: Outcome): string {
  return outcome instanceof Error ? outcome.message : releaseText(outcome);
}

function firstDifference(one: string, other: string): string {
  const at = [...one].findIndex((character, index) => character !== other[index]);
  return JSON.stringify([one, other].map((text) => text.slice(Math.max(0, at - 60), at + 60)));
}

const [folder, only = ""] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write("usage: npm run bench:isolation -- DIR\n");
  process.exitCode = 2;
} else {
  const unpacked = mkdtempSync(join(tmpdir(), "sluice-bench-isolation-"));
  try {
    execFileSync("tar", ["-xJf", join(folder, "charts.tar.xz"), "-C", unpacked]);
    await compare(chartsIn(unpacked, new RegExp(only)));
  } finally {
    rmSync(unpacked, { recursive: true });
  }
}
