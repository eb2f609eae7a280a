import type { RecordedRun, RecordedStep, Recording } from "./recording.ts";

type Shortening = (recording: Recording) => Recording;

/** A step that takes less is not what a run has waited for. */
const shortStepMs = 1_000;

/** What is left out when a recording is too large, the least telling first. Each says so in the recording. */
export const shortenings: readonly Shortening[] = [
  leaveOut("all but one pod of each workload", (run) => ({ ...run, pods: onePerOwner(run) })),
  leaveOut("all but the longest waits of each step", (run) => ({ ...run, steps: run.steps.map(withLongestWaits) })),
  leaveOut("pods", (run) => ({ ...run, pods: [] })),
  leaveOut("steps of less than a second", (run) => ({ ...run, steps: keptSteps(run, isTelling) })),
  leaveOut("reasons", (run) => ({ ...run, steps: run.steps.map(withoutReasons) })),
  leaveOut("all but the 1,000 longest steps", (run) => ({ ...run, steps: longestSteps(run, 1_000) })),
  leaveOut("all but the last run", undefined),
  leaveOut("all but the ten longest steps", (run) => ({ ...run, steps: longestSteps(run, 10) })),
];

/** Without a way to shorten a run, all runs but the last go. */
function leaveOut(what: string, shorten: ((run: RecordedRun) => RecordedRun) | undefined): Shortening {
  return ({ leftOut = [], ...recording }) => ({
    ...recording,
    runs: shorten === undefined ? recording.runs.slice(-1) : recording.runs.map(shorten),
    leftOut: [...leftOut, what],
  });
}

function onePerOwner({ pods }: RecordedRun): RecordedRun["pods"] {
  const byOwner = Map.groupBy(pods, ({ namespace, owner }) => `${namespace}/${owner.kind}/${owner.name}`);
  return [...byOwner.values()].flatMap((group) => group.slice(0, 1));
}

function withLongestWaits({ waits, ...step }: RecordedStep): RecordedStep {
  const lengthAt = (at: number) => (waits[at + 1]?.atMs ?? step.endedAtMs ?? Infinity) - waits[at]!.atMs;
  const longest = new Set([...waits.keys()].toSorted((a, b) => lengthAt(b) - lengthAt(a)).slice(0, 3));
  return { ...step, waits: waits.filter((_, at) => longest.has(at)) };
}

function isTelling(step: RecordedStep): boolean {
  return step.outcome !== "finished" || lengthOf(step) >= shortStepMs;
}

function withoutReasons({ events: _events, ...step }: RecordedStep): RecordedStep {
  const { after, because } = step;
  return {
    ...step,
    waits: [],
    ...(after === undefined ? {} : { after: { ...after, because: "" } }),
    ...(because === undefined ? {} : { because: because.slice(0, 80) }),
  };
}

function weight(step: RecordedStep): number {
  return step.outcome === "failed" ? Infinity : lengthOf(step);
}

/** Those that have failed come first. */
function longestSteps({ steps }: RecordedRun, count: number): readonly RecordedStep[] {
  const longest = new Set(
    steps
      .toSorted((a, b) => (weight(a) < weight(b) ? 1 : -1))
      .slice(0, count)
      .map(({ id }) => id),
  );
  return keptSteps({ steps }, ({ id }) => longest.has(id));
}

/** The steps to keep. What they came after is the last kept step before it. */
function keptSteps({ steps }: Pick<RecordedRun, "steps">, isKept: (step: RecordedStep) => boolean): readonly RecordedStep[] {
  const afters = new Map<string, RecordedStep["after"]>();
  const kept: RecordedStep[] = [];
  // A step is listed behind those that it came after.
  for (const { after: before, ...step } of steps) {
    const after = before !== undefined && afters.has(before.id) ? afters.get(before.id) : before;
    if (isKept(step)) kept.push({ ...step, ...(after === undefined ? {} : { after }) });
    else afters.set(step.id, after);
  }
  return kept;
}

function lengthOf({ startedAtMs, endedAtMs = Infinity }: RecordedStep): number {
  return endedAtMs - startedAtMs;
}
