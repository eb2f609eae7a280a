import { attempt, type Tried } from "../../sveltos/evaluate/index.ts";
import type { ScriptWorld } from "../../sveltos/script/index.ts";
import { lineFor, type Problem } from "../../core/fault/index.ts";
import { apiVersionOf, titleOf } from "../../core/object/index.ts";
import type { Terminal } from "../terminal.ts";
import { readFolders, type Folder } from "./folder.ts";

/** An object that was tried, and where it stands. */
type PlacedTried = Tried & { readonly at: string };

/** What came of one folder. */
export type FolderTrial = {
  readonly path: string;
  readonly name: string;
  readonly tried: readonly PlacedTried[];
  readonly problems: readonly Problem[];
};

/** Tries all EventSources at or below a folder on the objects beside them. */
export async function tryFolders(root: string, world: ScriptWorld): Promise<readonly FolderTrial[]> {
  return (await readFolders(root)).map((folder) => tryFolder(folder, world));
}

export function isGood({ tried, problems }: FolderTrial): boolean {
  return problems.length === 0 && tried.every(({ isRight }) => isRight);
}

function tryFolder({ path, source, candidates, problems }: Folder, world: ScriptWorld): FolderTrial {
  if (source === undefined || problems.length > 0) return { path, name: source?.metadata.name ?? "", tried: [], problems };
  const tried = attempt(source, candidates, world).map((one, index) => ({ ...one, at: candidates[index]?.at ?? path }));
  return { path, name: source.metadata.name, tried, problems };
}

/** A line for every object, wrong ones with their place, and the sum. */
export function showTrials(trials: readonly FolderTrial[], { out, paint }: Terminal): void {
  for (const trial of trials) {
    out(`${paint.strong(trial.path)}${trial.name === "" ? "" : `: ${trial.name}`}`);
    for (const problem of trial.problems) out(`  ${paint.bad("✗")} ${lineFor(problem)}`);
    for (const one of trial.tried) out(`  ${one.isRight ? paint.good("✓") : paint.bad("✗")} ${lineOf(one)}`);
  }
  const wrong = trials.filter((trial) => !isGood(trial)).length;
  const objects = trials.reduce((sum, { tried }) => sum + tried.length, 0);
  const sum = `${counted(trials.length, "EventSource")}, ${counted(objects, "object")}`;
  out(wrong === 0 ? paint.good(`${sum}: all as expected`) : paint.bad(`${sum}: ${counted(wrong, "EventSource")} not as expected`));
}

function lineOf({ ref, at, verdict, expected, isRight }: PlacedTried): string {
  const title = ref.namespace === "" ? titleOf(ref) : `${titleOf(ref)} in ${ref.namespace}`;
  const found = verdict.state === "failed" ? "could not be judged" : verdict.state === "matching" ? "matches" : "does not match";
  const why = verdict.state === "matching" ? verdict.message : verdict.because;
  const told = why === "" ? found : `${found}: ${why}`;
  return isRight ? `${title} ${told}` : `${at}: ${title} ${told}; expected ${expected === "matching" ? "a match" : "no match"}`;
}

/** The same as data. */
export function trialData(trials: readonly FolderTrial[]): object {
  return {
    passed: trials.every(isGood),
    folders: trials.map((trial) => ({
      folder: trial.path,
      eventSource: trial.name,
      passed: isGood(trial),
      problems: trial.problems,
      objects: trial.tried.map(({ ref, at, expected, verdict, isRight }) => ({
        at,
        apiVersion: apiVersionOf(ref),
        kind: ref.kind,
        namespace: ref.namespace,
        name: ref.name,
        expected,
        found: verdict.state,
        message: "message" in verdict ? verdict.message : "",
        ...("because" in verdict && { because: verdict.because }),
        passed: isRight,
      })),
    })),
  };
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
