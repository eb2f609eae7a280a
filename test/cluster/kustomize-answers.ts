import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../../src/core/fault/index.ts";
import { readDocuments } from "../../src/lang/yaml/index.ts";
import type { PatchAnswer, PatchCase } from "../support/patch/patch-case.ts";
import { runProgram } from "./run-program.ts";
import { makeTemporaryFolder } from "./temporary-folder.ts";

/** What the real Kustomize makes of each case, one process a case. */
export async function kustomizeAnswers(program: string, cases: readonly PatchCase[]): Promise<readonly PatchAnswer[]> {
  const folder = makeTemporaryFolder();
  const answers: PatchAnswer[] = [];
  try {
    for (const [index, each] of cases.entries()) answers.push(await answerFor(program, each, join(folder, String(index))));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return answers;
}

/** The order of the objects, as it is for Sveltos. The command sorts by kind otherwise. */
const sortOptions = { order: "fifo" };

async function answerFor(program: string, { what, objects, patches }: PatchCase, folder: string): Promise<PatchAnswer> {
  const kustomization = {
    apiVersion: "kustomize.config.k8s.io/v1beta1",
    kind: "Kustomization",
    resources: ["objects.yaml"],
    patches,
    sortOptions,
  };
  mkdirSync(folder);
  writeFileSync(join(folder, "objects.yaml"), objects);
  writeFileSync(join(folder, "kustomization.yaml"), JSON.stringify(kustomization));
  const { code, out, err } = await runProgram(program, ["build", folder], { cwd: folder });
  if (code !== 0) return { refused: err.replaceAll(folder, "FOLDER").trim() };
  const { documents, problems } = readDocuments(out, what);
  if (problems.length > 0) throw new Fault(`read what Kustomize made of ${what}`, problems.map(({ message }) => message).join("; "));
  return { objects: documents.map(({ value }) => value) };
}
