/**
 * Renders charts in one process, as `helm-engine` does with Helm's code: reads a JSON request a line (`chart`, `values`,
 * `quiet`) and answers each with a line (`ms`, `phases`, `peakBytes`, and the `manifest` unless it is `quiet`). At the end of its
 * input it says what it still holds (`heldBytes`); that needs `--expose-gc`.
 */
import { readFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { createInterface } from "node:readline";
import { mergeMaps, readValues } from "../src/chart/index.ts";
import { loadChartAt } from "../src/release/load/index.ts";
import { sortRendering, helmFunctions, renderFiles, deterministicFunctions } from "../src/release/render/index.ts";
import { Engine, GoMap } from "../src/lang/template/index.ts";

type Request = { readonly chart: string; readonly values: readonly string[]; readonly quiet?: boolean };

const surroundings = { now: () => Date.parse("2024-01-02T03:04:05Z"), randomBytes: (count: number) => new Uint8Array(count) };
const engine = new Engine({ ...helmFunctions(surroundings), ...deterministicFunctions });
const release = { name: "release-name", namespace: "default" };

for await (const line of createInterface({ input: process.stdin })) {
  const { chart, values, quiet = false } = JSON.parse(line) as Request;
  const startedAt = performance.now();
  const phases = { load: 0, render: 0, sort: 0 };
  const answer = rendered(chart, values, phases);
  const ms = performance.now() - startedAt;
  process.stdout.write(`${JSON.stringify({ ...(quiet ? {} : answer), ms, phases, peakBytes: peakBytes() })}\n`);
}

globalThis.gc?.();
process.stdout.write(`${JSON.stringify({ heldBytes: process.memoryUsage().heapUsed })}\n`);

type Answer = { readonly manifest: string; readonly notes: string; readonly err?: string };

function rendered(chart: string, files: readonly string[], phases: Record<"load" | "render" | "sort", number>): Answer {
  const timed = <Result>(phase: keyof typeof phases, work: () => Result): Result => {
    const startedAt = performance.now();
    const result = work();
    phases[phase] = performance.now() - startedAt;
    return result;
  };
  try {
    const loaded = timed("load", () => loadChartAt(chart));
    const paths = files.map((file) => (isAbsolute(file) ? file : join(chart, file)));
    const texts = timed("render", () => {
      const values = paths.map((file) => readValues(readFileSync(file, "utf8"))).reduce(mergeMaps, new GoMap());
      return renderFiles(loaded, values, { engine, release });
    });
    const { manifests, hooks, notes } = timed("sort", () => sortRendering(texts));
    return { manifest: [...manifests, ...hooks].map(({ file, text }) => `---\n# Source: ${file}\n${text}\n`).join(""), notes };
  } catch (error) {
    return { manifest: "", notes: "", err: error instanceof Error ? error.message : String(error) };
  }
}

function peakBytes(): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? 0) * 1024;
}
