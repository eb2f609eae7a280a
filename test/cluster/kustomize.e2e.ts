import assert from "node:assert/strict";
import { test } from "node:test";
import { patchCases } from "../support/patch/patch-cases.ts";
import { recordedAnswers } from "../support/patch/recorded-answers.ts";
import { kustomizeAnswers } from "./kustomize-answers.ts";
import { buildKustomize } from "./toolchain.ts";

test("Kustomize answers as recorded", async () => {
  const answers = await kustomizeAnswers(await buildKustomize((line) => process.stdout.write(`${line}\n`)), patchCases);
  const recorded = recordedAnswers();
  for (const [index, { what }] of patchCases.entries()) assert.deepEqual(answers[index], recorded.get(what), what);
});
