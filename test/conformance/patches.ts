/**
 * Builds Kustomize, runs it on the table of patches in `test/support/patch` and compares with the recorded answers, which the
 * tests replay. `--record` writes them anew.
 */
import { writeFileSync } from "node:fs";
import { equal } from "../../src/core/object/index.ts";
import { kustomizeAnswers } from "../cluster/kustomize-answers.ts";
import { buildKustomize } from "../cluster/toolchain.ts";
import { patchCases } from "../support/patch/patch-cases.ts";
import { recordedAnswers, recordedAnswersFile } from "../support/patch/recorded-answers.ts";

async function main(args: readonly string[]): Promise<number> {
  if (args.some((each) => each !== "--record") || args.length > 1) {
    process.stderr.write("usage: npm run conformance:patches [-- --record]\n");
    return 2;
  }
  const program = await buildKustomize((line) => process.stdout.write(`${line}\n`));
  const answers = await kustomizeAnswers(program, patchCases);
  if (args.includes("--record")) {
    const lines = patchCases.map(({ what }, index) => JSON.stringify({ what, ...answers[index] }));
    writeFileSync(recordedAnswersFile, `${lines.join("\n")}\n`);
    process.stdout.write(`recorded ${lines.length} answers\n`);
    return 0;
  }
  const recorded = recordedAnswers();
  const different = patchCases.filter(({ what }, index) => !equal(recorded.get(what), answers[index]));
  for (const { what } of different) process.stdout.write(`${what}: Kustomize answers otherwise than recorded\n`);
  process.stdout.write(`${patchCases.length - different.length} of ${patchCases.length} answers are as recorded\n`);
  return different.length === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
