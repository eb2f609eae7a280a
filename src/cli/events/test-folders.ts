import { tryEventSource, type TrialResult } from "../../sveltos/evaluate/index.ts";
import type { ScriptEnvironment } from "../../sveltos/script/index.ts";
import { lineFor, type Problem } from "../../core/fault/index.ts";
import { apiVersionOf, titleOf } from "../../core/object/index.ts";
import type { Terminal } from "../terminal.ts";
import { readEventSourceFolders, type EventSourceFolder } from "./event-source-folder.ts";

/** The result for one object, with its position in a file. */
type LocatedResult = TrialResult & { readonly at: string };

/** The results of one folder. */
type FolderResult = {
  readonly path: string;
  readonly name: string;
  readonly results: readonly LocatedResult[];
  readonly problems: readonly Problem[];
};

/** Evaluates all EventSources at or below a folder on the objects beside them. */
export async function testFolders(root: string, environment: ScriptEnvironment): Promise<readonly FolderResult[]> {
  return (await readEventSourceFolders(root)).map((folder) => evaluateFolder(folder, environment));
}

export function hasPassed({ results, problems }: FolderResult): boolean {
  return problems.length === 0 && results.every(({ isExpected }) => isExpected);
}

function evaluateFolder({ path, source, candidates, problems }: EventSourceFolder, environment: ScriptEnvironment): FolderResult {
  if (source === undefined || problems.length > 0) return { path, name: source?.metadata.name ?? "", results: [], problems };
  const results = tryEventSource(source, candidates, environment).map((one, index) => ({ ...one, at: candidates[index]?.at ?? path }));
  return { path, name: source.metadata.name, results, problems };
}

/** Prints a line for every object, with the position of unexpected results, and the totals. */
export function printResults(trials: readonly FolderResult[], { out, paint }: Terminal): void {
  for (const trial of trials) {
    out(`${paint.strong(trial.path)}${trial.name === "" ? "" : `: ${trial.name}`}`);
    for (const problem of trial.problems) out(`  ${paint.bad("✗")} ${lineFor(problem)}`);
    for (const one of trial.results) out(`  ${one.isExpected ? paint.good("✓") : paint.bad("✗")} ${lineOf(one)}`);
  }
  const wrong = trials.filter((trial) => !hasPassed(trial)).length;
  const objects = trials.reduce((sum, { results }) => sum + results.length, 0);
  const sum = `${counted(trials.length, "EventSource")}, ${counted(objects, "object")}`;
  out(wrong === 0 ? paint.good(`${sum}: all as expected`) : paint.bad(`${sum}: ${counted(wrong, "EventSource")} not as expected`));
}

function lineOf({ ref, at, result, expected, isExpected }: LocatedResult): string {
  const title = ref.namespace === "" ? titleOf(ref) : `${titleOf(ref)} in ${ref.namespace}`;
  const found = result.state === "failed" ? "could not be judged" : result.state === "matching" ? "matches" : "does not match";
  const why = result.state === "matching" ? result.message : result.because;
  const outcome = why === "" ? found : `${found}: ${why}`;
  return isExpected ? `${title} ${outcome}` : `${at}: ${title} ${outcome}; expected ${expected === "matching" ? "a match" : "no match"}`;
}

/** The results as data, for `-o json`. */
export function resultData(trials: readonly FolderResult[]): object {
  return {
    passed: trials.every(hasPassed),
    folders: trials.map((trial) => ({
      folder: trial.path,
      eventSource: trial.name,
      passed: hasPassed(trial),
      problems: trial.problems,
      objects: trial.results.map(({ ref, at, expected, result, isExpected }) => ({
        at,
        apiVersion: apiVersionOf(ref),
        kind: ref.kind,
        namespace: ref.namespace,
        name: ref.name,
        expected,
        found: result.state,
        message: "message" in result ? result.message : "",
        ...("because" in result && { because: result.because }),
        passed: isExpected,
      })),
    })),
  };
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
