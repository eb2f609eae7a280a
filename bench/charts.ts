/**
 * `npm run bench:charts -- DIR`: compares the rendering of public charts with Helm's. The folder is laid out as for
 * `conformance:charts`. Renders all charts in one warm process, charts of growing size, and two large ones from the command
 * line, with the memory they need.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { buildHelm, buildHelmEngine } from "../test/cluster/toolchain.ts";
import { benchChartGrowth } from "./charts-growth.ts";
import { benchCommandLine, type RecordedChart } from "./charts-command-line.ts";
import { least, Renderer, type RenderPass, type Sides } from "./renderer.ts";
import { reportNote, reportAtLeast, reportAtMost } from "./report.ts";

const rounds = 3;
const log = (line: string) => void process.stdout.write(`     ${line}\n`);

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
    reportNote("load of the machine before it began", (loadavg()[0] ?? 0).toFixed(2));
    const helm = await buildHelm(log);
    const renderers = {
      helm: new Renderer(await buildHelmEngine(log), []),
      sluice: new Renderer(process.execPath, ["--expose-gc", join(import.meta.dirname, "charts-process.ts")]),
    };
    await inOneProcess(cases, renderers);
    await benchChartGrowth(join(charts, "growth"), renderers);
    renderers.helm.end();
    const heldBytes = await renderers.sluice.endHolding();
    reportAtMost("held by the process that rendered them all, all caches together", heldBytes / 2 ** 20, 150, " MiB");
    await benchCommandLine(cases, helm);
    reportNote("load of the machine at the end", (loadavg()[0] ?? 0).toFixed(2));
  } finally {
    rmSync(charts, { recursive: true });
  }
}

function casesIn(folder: string, charts: string): readonly RecordedChart[] {
  const text = gunzipSync(readFileSync(join(folder, "golden.jsonl.gz"))).toString("utf8");
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as RecordedChart).map((each) => ({ ...each, chart: join(charts, each.chart) }));
}

/** Both render all charts once to warm up. Then they take turns, and the best time of each counts. */
async function inOneProcess(cases: readonly RecordedChart[], { helm, sluice }: Sides<Renderer>): Promise<void> {
  const asked = cases.map(({ chart, values }) => ({ chart, values }));
  const first = { helm: await helm.pass(asked), sluice: await sluice.pass(asked) };
  const passes: Sides<RenderPass>[] = [];
  for (let round = 0; round < rounds; round++) passes.push({ helm: await helm.pass(asked), sluice: await sluice.pass(asked) });
  const wall = least(passes, ({ wallMs }) => wallMs);
  const cpu = least(passes, ({ cpuMs }) => cpuMs);
  const what = `${cases.length} renders in one warm process: Helm's engine over Sluice`;
  reportAtLeast(`${what}, CPU`, cpu.helm / cpu.sluice, 5, "x");
  reportNote("CPU", `${cpu.helm.toFixed(0)} ms and ${cpu.sluice.toFixed(0)} ms`);
  reportAtLeast(`${what}, clock`, wall.helm / wall.sluice, 5, "x");
  reportNote("on the clock", `${wall.helm.toFixed(0)} ms and ${wall.sluice.toFixed(0)} ms`);
  for (const phase of ["load", "render", "sort"] as const) {
    const spent = least(passes, ({ phases }) => phases[phase]);
    reportNote(`of that ${phase}`, `${spent.helm.toFixed(0)} ms and ${spent.sluice.toFixed(0)} ms`);
  }
  reportNote("CPU of the first pass, with nothing known yet", `${first.helm.cpuMs.toFixed(0)} ms and ${first.sluice.cpuMs.toFixed(0)} ms`);
}

await main(process.argv[2]);
