/**
 * Runs a folder of recorded server-side-apply cases (`*.jsonl`, `*.jsonl.gz`) on our merge: every step's live object and
 * every manager's fieldsV1, to the letter.
 *
 * A recording has neither the conversion between versions, nor the ignored fields, nor the changed schema of its test.
 * There are only a few of each, so a case passes when one combination explains all of its steps.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { MergeSchema, TypeRef } from "../../src/embedded/managedfields/index.ts";
import { parseYaml } from "../../src/lang/yaml/index.ts";
import { ssaAssumptionsFor } from "./ssa-assumptions.ts";
import { runSsaCase, type SsaCase, type RecordedStep } from "./ssa-case.ts";

type Recorded = { readonly schema: string; readonly type: string; readonly steps: readonly RecordedStep[] };

function readCases(folder: string): SsaCase[] {
  const files = readdirSync(folder).filter((name) => /\.jsonl(\.gz)?$/.test(name));
  return files.sort().flatMap((name) => {
    const bytes = readFileSync(join(folder, name));
    const lines = (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString().split("\n");
    return lines.filter((line) => line.trim() !== "").map((line, at) => caseOf(JSON.parse(line) as Recorded, `${name}:${at + 1}`));
  });
}

function caseOf({ schema, type, steps }: Recorded, title: string): SsaCase {
  return {
    title,
    schema: parseYaml(schema) as MergeSchema,
    type: parseYaml(type) as TypeRef,
    steps: steps.map((step) => ({ ...step, value: step.object === undefined ? undefined : parseYaml(step.object) })),
  };
}

function main(): void {
  const folder = process.argv[2];
  if (folder === undefined) {
    process.stderr.write("usage: npm run conformance:ssa -- DIR\n");
    process.exitCode = 2;
    return;
  }
  const cases = readCases(folder);
  let passed = 0;
  for (const each of cases) {
    const failures = ssaAssumptionsFor(each).map((assumptions) => runSsaCase(each, assumptions));
    const failure = failures.every((text) => text !== undefined) ? failures[0] : undefined;
    if (failure === undefined) passed++;
    else process.stdout.write(`${each.title}: ${failure}\n`);
  }
  process.stdout.write(`${passed} of ${cases.length} server-side-apply cases\n`);
  if (passed < cases.length) process.exitCode = 1;
}

main();
