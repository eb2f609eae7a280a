import { spawn } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { cpuMsOf } from "./process.ts";
import { least, type RenderCase, type Sides } from "./renderer.ts";
import { reportNote, reportAtMost, reportAtLeast } from "./report.ts";

const program = join(import.meta.dirname, "..", "dist", "sluice.js");
const rounds = 9;
/** The output length from which a chart counts as large. */
const largeLength = 200_000;

/** A chart with Helm's output, which is absent where Helm failed. */
export type RecordedChart = RenderCase & { readonly manifest?: string };

type Cost = { readonly wallMs: number; readonly cpuMs: number; readonly peakBytes: number };

/**
 * Renders two charts with either program in turn: the one with the largest output, and of the large ones that with the most
 * template actions, which are parsed and executed for the first time.
 */
export async function benchCommandLine(cases: readonly RecordedChart[], helm: string): Promise<void> {
  const largest = first(cases, lengthOf);
  const large = cases.filter((each) => each.values.length === 0 && lengthOf(each) >= largeLength);
  await race("the largest chart", largest, helm);
  await race("the large chart with the most templates", first(large, actionsIn), helm);
}

function first(cases: readonly RecordedChart[], size: (each: RecordedChart) => number): RecordedChart {
  const [found] = cases.map((each) => ({ each, size: size(each) })).toSorted((a, b) => b.size - a.size);
  if (found === undefined) throw new Error("there is no chart to race with");
  return found.each;
}

function lengthOf({ manifest = "" }: RecordedChart): number {
  return manifest.length;
}

function actionsIn({ chart }: RecordedChart): number {
  const files = globSync("**/templates/**/*.{yaml,yml,tpl,txt}", { cwd: chart });
  return files.reduce((sum, file) => sum + readFileSync(join(chart, file), "latin1").split("{{").length - 1, 0);
}

async function race(what: string, each: RecordedChart, helm: string): Promise<void> {
  const { chart, values } = each;
  const flags = values.flatMap((file) => ["-f", join(chart, file)]);
  const costs: Sides<Cost>[] = [];
  for (let round = 0; round < rounds; round++)
    costs.push({
      helm: await costOf(helm, ["template", chart, ...flags]),
      sluice: await costOf(process.execPath, [program, "render", chart, ...flags]),
    });
  const wall = least(costs, ({ wallMs }) => wallMs);
  const cpu = least(costs, ({ cpuMs }) => cpuMs);
  const peak = least(costs, ({ peakBytes }) => peakBytes);
  reportNote(what, `${basename(chart)}, ${(lengthOf(each) / 1e6).toFixed(1)} MB, ${actionsIn(each)} actions`);
  reportAtLeast("from the command line: helm template over sluice render, CPU", cpu.helm / cpu.sluice, 1.5, "x");
  reportNote("CPU", `${cpu.helm.toFixed(0)} ms and ${cpu.sluice.toFixed(0)} ms`);
  reportAtLeast("from the command line: helm template over sluice render, clock", wall.helm / wall.sluice, 1.5, "x");
  reportNote("on the clock", `${wall.helm.toFixed(0)} ms and ${wall.sluice.toFixed(0)} ms`);
  reportAtMost("memory at most: sluice render over helm template", peak.sluice / peak.helm, 1, "x");
  reportNote("resident at most", `${(peak.helm / 2 ** 20).toFixed(0)} MiB and ${(peak.sluice / 2 ** 20).toFixed(0)} MiB`);
}

/** Runs a program and measures its time, CPU and peak memory. */
function costOf(command: string, args: readonly string[]): Promise<Cost> {
  return new Promise((resolve, reject) => {
    const cpuBefore = cpuMsOf("self", { children: true });
    const startedAt = performance.now();
    const child = spawn(command, args, { stdio: ["ignore", "ignore", "ignore"] });
    let peakBytes = 0;
    const look = setInterval(() => (peakBytes = Math.max(peakBytes, peakOf(child.pid!))), 5);
    child.on("error", reject);
    child.on("close", (code) => {
      clearInterval(look);
      if (code === 0) resolve({ wallMs: performance.now() - startedAt, cpuMs: cpuMsOf("self", { children: true }) - cpuBefore, peakBytes });
      else reject(new Error(`${command} ${args.join(" ")} ended with ${code}`));
    });
  });
}

/** The peak memory so far; 0 when the process has ended. */
function peakOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
