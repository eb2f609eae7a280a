/**
 * Assesses a folder of recorded objects (`cases.jsonl`: kind, case, expect, message, object) and compares with what the
 * maintainers of their kinds expect: Healthy is ready, Degraded is failed, everything else is progressing; Suspended may also
 * be ready. Prints the wrong ones and a confusion matrix, and the same for kstatus' rules.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assess } from "../../src/health/index.ts";
import type { KubeObject } from "../../src/core/object/index.ts";
import { kstatus, type HealthState } from "./kstatus.ts";

type Expectation = "Healthy" | "Progressing" | "Degraded" | "Suspended" | "Missing" | "Unknown";
type Case = {
  readonly kind: string;
  readonly case: string;
  readonly expect: Expectation;
  readonly message?: string;
  readonly object: KubeObject;
};
type Answer = { readonly state: HealthState; readonly because: string };
type HealthFunction = (object: KubeObject) => Answer;

const right: Readonly<Record<Expectation, readonly HealthState[]>> = {
  Healthy: ["ready"],
  Progressing: ["progressing"],
  Degraded: ["failed"],
  Suspended: ["progressing", "ready"],
  Missing: ["progressing"],
  Unknown: ["progressing"],
};
const states: readonly HealthState[] = ["ready", "progressing", "failed"];

/** Built-in kinds that have no status. */
const plain = new Set(["ConfigMap", "Secret", "ServiceAccount", "Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding"]);

const ours: HealthFunction = (object) => {
  const health = assess(object, { hasStatus: !plain.has(object.kind) });
  return { state: health.state, because: (health.state === "ready" ? health.note : health.because) ?? "" };
};

const theirs: HealthFunction = (object) => ({ state: kstatus(object), because: "" });

function readCases(folder: string): readonly Case[] {
  const lines = readFileSync(join(folder, "cases.jsonl"), "utf8").split("\n");
  return lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line) as Case);
}

class Tally {
  readonly wrong: string[] = [];
  readonly #matrix = new Map<string, number>();
  readonly #cases: readonly Case[];

  constructor(cases: readonly Case[], assessObject: HealthFunction) {
    this.#cases = cases;
    for (const each of cases) this.#add(each, assessObject(each.object));
  }

  #add({ kind, case: title, expect, message = "", object }: Case, { state, because }: Answer): void {
    const cell = `${expect} ${state}`;
    this.#matrix.set(cell, (this.#matrix.get(cell) ?? 0) + 1);
    if (right[expect].includes(state)) return;
    this.wrong.push(`${kind} ${title}: expected ${expect}${inBrackets(message)}, judged ${object.kind} ${state}${inBrackets(because)}`);
  }

  #count(expect: Expectation, state: HealthState): number {
    return this.#matrix.get(`${expect} ${state}`) ?? 0;
  }

  get passed(): number {
    return this.#cases.length - this.wrong.length;
  }

  get falselyReady(): number {
    const expectations = Object.keys(right) as Expectation[];
    return expectations.filter((expect) => !right[expect].includes("ready")).reduce((sum, expect) => sum + this.#count(expect, "ready"), 0);
  }

  get lines(): readonly string[] {
    const expectations = Object.keys(right) as Expectation[];
    const rows = expectations.map((expect) => [expect, ...states.map((state) => String(this.#count(expect, state)))]);
    const share = (part: number) => `${((100 * part) / Math.max(1, this.#cases.length)).toFixed(1)} %`;
    return [
      ...[["", ...states], ...rows].map((row) => row.map((cell, at) => (at === 0 ? cell.padEnd(12) : cell.padStart(12))).join("")),
      `right ${share(this.passed)}, falsely ready ${share(this.falselyReady)} (${this.falselyReady})`,
    ];
  }
}

function inBrackets(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line === "" ? "" : ` (${line.length > 90 ? `${line.slice(0, 90)}…` : line})`;
}

function main(): void {
  const folder = process.argv[2];
  if (folder === undefined) {
    process.stderr.write("usage: npm run conformance:health -- DIR\n");
    process.exitCode = 2;
    return;
  }
  const cases = readCases(folder);
  const [sluice, kube] = [new Tally(cases, ours), new Tally(cases, theirs)];
  const parts = [sluice.wrong, ["", "Sluice"], sluice.lines, ["", "kstatus"], kube.lines, [""]].flat();
  process.stdout.write(`${parts.join("\n")}\n${sluice.passed} of ${cases.length} health cases\n`);
  const enough = sluice.passed >= 0.9 * cases.length && sluice.falselyReady <= 0.03 * cases.length;
  if (!enough) process.exitCode = 1;
}

main();
