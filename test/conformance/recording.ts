import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { StepAnswer } from "./run-case.ts";

const folder = join(import.meta.dirname, "recorded");

/** The answers of a real control plane to every case, and its version. */
export type Recording = { readonly kubernetes: string; readonly cases: ReadonlyMap<string, readonly StepAnswer[]> };

/** Reads the recording of the suite: a file for each group of cases, a line for each step. */
export function readRecording(): Recording {
  const cases = new Map<string, StepAnswer[]>();
  let kubernetes = "";
  for (const name of readdirSync(folder).filter((file) => file.endsWith(".jsonl"))) {
    const [head = "{}", ...lines] = readFileSync(join(folder, name), "utf8").trimEnd().split("\n");
    kubernetes = (JSON.parse(head) as { kubernetes: string }).kubernetes;
    for (const line of lines) {
      const { id, ...heard } = JSON.parse(line) as StepAnswer & { id: string };
      cases.set(id, [...(cases.get(id) ?? []), heard]);
    }
  }
  return { kubernetes, cases };
}

export function writeRecording({ kubernetes, cases }: Recording): void {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  const groups = Map.groupBy(cases, ([id]) => id.split("/")[0] ?? "");
  for (const [group, members] of groups) {
    const lines = members
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([id, steps]) => steps.map((step) => JSON.stringify({ id, ...step })));
    writeFileSync(join(folder, `${group}.jsonl`), [JSON.stringify({ kubernetes }), ...lines, ""].join("\n"));
  }
}
