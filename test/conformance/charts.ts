/**
 * Renders a folder of public charts (`charts.tar.xz` and `golden.jsonl.gz`: `chart`, `values` and Helm's output) and compares
 * byte by byte. Prints the first difference of each, and how many are identical.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { readValues, mergeMaps } from "../../src/chart/index.ts";
import { loadChartAt } from "../../src/release/load/index.ts";
import { helmFunctions, render, deterministicFunctions, type Rendering } from "../../src/release/render/index.ts";
import { GoMap, type Engine } from "../../src/lang/template/index.ts";
import { enginesFor } from "../support/template/engines.ts";

type Case = {
  readonly chart: string;
  readonly values: readonly string[];
  readonly manifest?: string;
  readonly notes?: string;
  readonly err?: string;
};

const surroundings = { now: () => Date.parse("2024-01-02T03:04:05Z"), randomBytes: (count: number) => new Uint8Array(count) };
const engines = enginesFor({ ...helmFunctions(surroundings), ...deterministicFunctions });
const release = { name: "release-name", namespace: "default" };

function main(folder: string | undefined): void {
  if (folder === undefined) {
    process.stderr.write("usage: npm run conformance:charts -- DIR\n");
    process.exitCode = 2;
    return;
  }
  const charts = mkdtempSync(join(tmpdir(), "sluice-charts-"));
  try {
    execFileSync("tar", ["-xJf", join(folder, "charts.tar.xz"), "-C", charts]);
    compareAll(charts, casesIn(folder));
  } finally {
    rmSync(charts, { recursive: true });
  }
}

function casesIn(folder: string): readonly Case[] {
  const text = gunzipSync(readFileSync(join(folder, "golden.jsonl.gz"))).toString("utf8");
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as Case);
}

function compareAll(charts: string, cases: readonly Case[]): void {
  let same = 0;
  for (const each of cases) {
    const difference = engines.reduce<string | undefined>((found, engine) => found ?? differenceOf(each, charts, engine), undefined);
    if (difference === undefined) same++;
    else process.stdout.write(`${[each.chart, ...each.values].join(" + ")}\n  ${difference.replaceAll("\n", "\n  ")}\n`);
  }
  process.stdout.write(`${same} of ${cases.length} renders are identical to Helm's\n`);
  if (same < cases.length) process.exitCode = 1;
}

/** The first difference between our output and Helm's, or undefined. */
function differenceOf({ chart, values, ...expected }: Case, charts: string, engine: Engine): string | undefined {
  const path = join(charts, chart);
  const got = answerOf(() => rendered(path, values, engine));
  if (typeof got === "string") return differs("the error", got, expected.err?.replace(stage, "") ?? "(none)");
  if (expected.err !== undefined) return `expected the error ${expected.err}`;
  return (
    differs("the manifest", manifestText(got), expected.manifest ?? "") ??
    (expected.notes === undefined ? undefined : differs("the notes", got.notes, expected.notes))
  );
}

/** The recorder prefixes errors with the stage at which they occurred. */
const stage = /^(load|deps|values|render|sort): /;

function rendered(path: string, values: readonly string[], engine: Engine): Rendering {
  const given = values.map((file) => readValues(readFileSync(join(path, file), "utf8"))).reduce(mergeMaps, new GoMap());
  return render(loadChartAt(path), given, { engine, release });
}

function answerOf(work: () => Rendering): Rendering | string {
  try {
    return work();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function manifestText({ manifests, hooks }: Rendering): string {
  return [...manifests, ...hooks].map(({ file, text }) => `---\n# Source: ${file}\n${text}\n`).join("");
}

function differs(what: string, got: string, expected: string): string | undefined {
  if (got === expected) return undefined;
  const [ours, theirs] = [got.split("\n"), expected.split("\n")];
  const line = theirs.findIndex((each, index) => ours[index] !== each);
  const at = line < 0 ? theirs.length : line;
  const [mine, helms] = [ours, theirs].map((lines) => JSON.stringify(lines.slice(at, at + 2).join("\n")).slice(0, 300));
  const source = theirs.slice(0, at).findLast((each) => each.startsWith("# Source: ")) ?? "";
  return `${what} differs in line ${at + 1} ${source}\nhere: ${mine}\nHelm: ${helms}`;
}

main(process.argv[2]);
