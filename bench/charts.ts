/**
 * `npm run bench:charts -- DIR`: renders the public charts of a folder that is laid out as for `conformance:charts`, beside
 * Helm: all of them in one warm process, the largest from the command line, and what memory that takes.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { buildHelm, buildHelmEngine } from "../test/cluster/toolchain.ts";
import { Renderer, type Case } from "./renderer.ts";
import { note, report, reportAtLeast } from "./report.ts";

const program = join(import.meta.dirname, "..", "dist", "sluice.js");
const rounds = 3;
const log = (line: string) => void process.stdout.write(`     ${line}\n`);

type Recorded = Case & { readonly manifest?: string };

async function main(folder: string | undefined): Promise<void> {
  if (folder === undefined) {
    process.stderr.write("usage: npm run bench:charts -- DIR\n");
    process.exitCode = 2;
    return;
  }
  const charts = mkdtempSync(join(tmpdir(), "sluice-bench-charts-"));
  try {
    execFileSync("tar", ["-xJf", join(folder, "charts.tar.xz"), "-C", charts]);
    const cases = casesIn(folder, charts);
    note("load of the machine before it began", (loadavg()[0] ?? 0).toFixed(2));
    await inOneProcess(cases, await buildHelmEngine(log));
    await fromTheCommandLine(largestOf(cases), await buildHelm(log));
  } finally {
    rmSync(charts, { recursive: true });
  }
}

function casesIn(folder: string, charts: string): readonly Recorded[] {
  const text = gunzipSync(readFileSync(join(folder, "golden.jsonl.gz"))).toString("utf8");
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as Recorded).map((each) => ({ ...each, chart: join(charts, each.chart) }));
}

/** Each renders all of them once before it counts; then they take turns, and the best of each is taken. */
async function inOneProcess(cases: readonly Recorded[], engine: string): Promise<void> {
  const renderers = {
    helm: new Renderer(engine, []),
    sluice: new Renderer(process.execPath, [join(import.meta.dirname, "charts-process.ts")]),
  };
  const asked = cases.map(({ chart, values }) => ({ chart, values }));
  const best = { helm: { wallMs: Infinity, cpuMs: Infinity }, sluice: { wallMs: Infinity, cpuMs: Infinity } };
  for (const name of ["helm", "sluice"] as const) await renderers[name].pass(asked);
  for (let round = 0; round < rounds; round++) {
    for (const name of ["helm", "sluice"] as const) {
      const { wallMs, cpuMs } = await renderers[name].pass(asked);
      best[name] = { wallMs: Math.min(best[name].wallMs, wallMs), cpuMs: Math.min(best[name].cpuMs, cpuMs) };
    }
  }
  for (const renderer of Object.values(renderers)) renderer.end();
  const { helm, sluice } = best;
  reportAtLeast(`${cases.length} renders in one warm process: Helm's engine over Sluice`, helm.wallMs / sluice.wallMs, 5, "x");
  note("on the clock", `${helm.wallMs.toFixed(0)} ms and ${sluice.wallMs.toFixed(0)} ms`);
  note("the same in CPU", `${(helm.cpuMs / sluice.cpuMs).toFixed(2)}x: ${helm.cpuMs.toFixed(0)} ms and ${sluice.cpuMs.toFixed(0)} ms`);
}

/** The one that renders to the most. */
function largestOf(cases: readonly Recorded[]): Recorded {
  return cases.reduce((largest, each) => ((each.manifest?.length ?? 0) > (largest.manifest?.length ?? 0) ? each : largest));
}

type Cost = { readonly wallMs: number; readonly peakBytes: number };

async function fromTheCommandLine({ chart, values, manifest = "" }: Recorded, helm: string): Promise<void> {
  const flags = values.flatMap((file) => ["-f", join(chart, file)]);
  const best = { helm: [] as Cost[], sluice: [] as Cost[] };
  for (let round = 0; round < 2 * rounds + 1; round++) {
    best.helm.push(await costOf(helm, ["template", chart, ...flags]));
    best.sluice.push(await costOf(process.execPath, [program, "render", chart, ...flags]));
  }
  const least = (costs: readonly Cost[], what: keyof Cost) => Math.min(...costs.map((cost) => cost[what]));
  const wall = { helm: least(best.helm, "wallMs"), sluice: least(best.sluice, "wallMs") };
  const peak = { helm: least(best.helm, "peakBytes"), sluice: least(best.sluice, "peakBytes") };
  const name = `${chart.split("/").slice(-1).join("")}, ${(manifest.length / 1e6).toFixed(1)} MB`;
  reportAtLeast(`${name}, from the command line: helm template over sluice render`, wall.helm / wall.sluice, 1.5, "x");
  note("on the clock", `${wall.helm.toFixed(0)} ms and ${wall.sluice.toFixed(0)} ms`);
  report("memory at most: sluice render over helm template", peak.sluice / peak.helm, 1, "x");
  note("resident at most", `${(peak.helm / 2 ** 20).toFixed(0)} MiB and ${(peak.sluice / 2 ** 20).toFixed(0)} MiB`);
}

/** Runs a program to its end. What it holds at most is what the shell's `time` would tell. */
function costOf(command: string, args: readonly string[]): Promise<Cost> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const child = spawn(command, args, { stdio: ["ignore", "ignore", "ignore"] });
    let peakBytes = 0;
    const look = setInterval(() => (peakBytes = Math.max(peakBytes, peakOf(child.pid!))), 5);
    child.on("error", reject);
    child.on("close", (code) => {
      clearInterval(look);
      if (code === 0) resolve({ wallMs: performance.now() - startedAt, peakBytes });
      else reject(new Error(`${command} ${args.join(" ")} ended with ${code}`));
    });
  });
}

/** What the kernel has counted so far; nothing once the process is gone. */
function peakOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

await main(process.argv[2]);
