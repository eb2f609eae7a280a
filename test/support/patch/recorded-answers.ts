import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PatchAnswer } from "./patch-case.ts";

/** What Kustomize answered, a line for each case. `npm run conformance:patches -- --record` writes it. */
export const recordedAnswersFile = join(
  import.meta.dirname,
  "..",
  "..",
  "..",
  "src",
  "sveltos",
  "deploy",
  "patch",
  "recorded",
  "kustomize.jsonl",
);

/** The recorded answers by the name of their case. */
export function recordedAnswers(): ReadonlyMap<string, PatchAnswer> {
  const lines = readFileSync(recordedAnswersFile, "utf8").trimEnd().split("\n");
  return new Map(
    lines.map((line) => {
      const { what, ...answer } = JSON.parse(line) as { what: string } & PatchAnswer;
      return [what, answer];
    }),
  );
}
