/**
 * `npm run bench:charts -- DIR`: renders the public charts of a folder that is laid out as for `conformance:charts`, beside
 * Helm: all of them in one warm process, charts that grow, the largest from the command line, and what memory that takes.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { buildHelm, buildHelmEngine } from "../test/cluster/toolchain.ts";
import { growth } from "./charts-growth.ts";
import { cpuMsOf } from "./process.ts";
import { Renderer, type Case, type Pass, type Sides } from "./renderer.ts";
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
    const helm = await buildHelm(log);
    const renderers = {
      helm: new Renderer(await buildHelmEngine(log), []),
      sluice: new Renderer(process.execPath, [join(import.meta.dirname, "charts-process.ts")]),
    };
    await inOneProcess(cases, renderers);
    await growth(join(charts, "growth"), renderers);
    for (const renderer of Object.values(renderers)) renderer.end();
    await fromTheCommandLine(largestOf(cases), helm);
    note("load of the machine at the end", (loadavg()[0] ?? 0).toFixed(2));
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
async function inOneProcess(cases: readonly Recorded[], { helm, sluice }: Sides<Renderer>): Promise<void> {
  const asked = cases.map(({ chart, values }) => ({ chart, values }));
  const first = { helm: await helm.pass(asked), sluice: await sluice.pass(asked) };
  const passes: Sides<Pass>[] = [];
  for (let round = 0; round < rounds; round++) passes.push({ helm: await helm.pass(asked), sluice: await sluice.pass(asked) });
  const wall = least(passes, ({ wallMs }) => wallMs);
  const cpu = least(passes, ({ cpuMs }) => cpuMs);
  const what = `${cases.length} renders in one warm process: Helm's engine over Sluice`;
  reportAtLeast(`${what}, CPU`, cpu.helm / cpu.sluice, 5, "x");
  note("CPU", `${cpu.helm.toFixed(0)} ms and ${cpu.sluice.toFixed(0)} ms`);
  reportAtLeast(`${what}, clock`, wall.helm / wall.sluice, 5, "x");
  note("on the clock", `${wall.helm.toFixed(0)} ms and ${wall.sluice.toFixed(0)} ms`);
  for (const phase of ["load", "render", "sort"] as const) {
    const spent = least(passes, ({ phases }) => phases[phase]);
    note(`of that ${phase}`, `${spent.helm.toFixed(0)} ms and ${spent.sluice.toFixed(0)} ms`);
  }
  note("CPU of the first pass, with nothing known yet", `${first.helm.cpuMs.toFixed(0)} ms and ${first.sluice.cpuMs.toFixed(0)} ms`);
}

function least<Item>(items: readonly Sides<Item>[], part: (item: Item) => number): Sides<number> {
  return {
    helm: Math.min(...items.map(({ helm }) => part(helm))),
    sluice: Math.min(...items.map(({ sluice }) => part(sluice))),
  };
}

/** The one that renders to the most. */
function largestOf(cases: readonly Recorded[]): Recorded {
  return cases.reduce((largest, each) => ((each.manifest?.length ?? 0) > (largest.manifest?.length ?? 0) ? each : largest));
}

type Cost = { readonly wallMs: number; readonly cpuMs: number; readonly peakBytes: number };

async function fromTheCommandLine({ chart, values, manifest = "" }: Recorded, helm: string): Promise<void> {
  const flags = values.flatMap((file) => ["-f", join(chart, file)]);
  const costs: Sides<Cost>[] = [];
  for (let round = 0; round < 2 * rounds + 1; round++)
    costs.push({
      helm: await costOf(helm, ["template", chart, ...flags]),
      sluice: await costOf(process.execPath, [program, "render", chart, ...flags]),
    });
  const wall = least(costs, ({ wallMs }) => wallMs);
  const cpu = least(costs, ({ cpuMs }) => cpuMs);
  const peak = least(costs, ({ peakBytes }) => peakBytes);
  note("the largest chart", `${basename(chart)}, ${(manifest.length / 1e6).toFixed(1)} MB`);
  reportAtLeast("from the command line: helm template over sluice render, CPU", cpu.helm / cpu.sluice, 1.5, "x");
  note("CPU", `${cpu.helm.toFixed(0)} ms and ${cpu.sluice.toFixed(0)} ms`);
  reportAtLeast("from the command line: helm template over sluice render, clock", wall.helm / wall.sluice, 1.5, "x");
  note("on the clock", `${wall.helm.toFixed(0)} ms and ${wall.sluice.toFixed(0)} ms`);
  report("memory at most: sluice render over helm template", peak.sluice / peak.helm, 1, "x");
  note("resident at most", `${(peak.helm / 2 ** 20).toFixed(0)} MiB and ${(peak.sluice / 2 ** 20).toFixed(0)} MiB`);
}

/** Runs a program to its end. What it holds at most is what the shell's `time` would tell. */
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

/** What the kernel has counted so far; nothing once the process is gone. */
function peakOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

await main(process.argv[2]);
