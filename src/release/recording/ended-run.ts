import type { RecordedRun, RecordedStep } from "./recording.ts";

/** What a step does to its object. */
export type Phase = "apply" | "wait" | "delete";

/** A step whose end is known, that of its run when it did not end before, and whose waits are within it. */
export type EndedStep = RecordedStep & { readonly endedAtMs: number };
export type EndedRun = Omit<RecordedRun, "steps"> & { readonly steps: readonly EndedStep[] };

export function endedRunOf(run: RecordedRun): EndedRun {
  const seenAtMs = Math.max(run.startedAtMs, run.seenAtMs);
  return { ...run, seenAtMs, steps: run.steps.flatMap((step) => endedStepsOf(step, seenAtMs)) };
}

/** Older recordings have the wait for an object that is created again in the step that had ended, and its end nowhere. */
function endedStepsOf(step: RecordedStep, seenAtMs: number): readonly EndedStep[] {
  const { startedAtMs, waits } = step;
  const endedAtMs = Math.max(startedAtMs, step.endedAtMs ?? seenAtMs);
  const [within, late] = [waits.filter(({ atMs }) => atMs <= endedAtMs), waits.filter(({ atMs }) => atMs > endedAtMs)];
  const ended = { ...step, endedAtMs, waits: inOrder(within, startedAtMs) };
  if (late.length === 0) return [ended];
  const lateWaits = inOrder(late, endedAtMs);
  const fromMs = lateWaits[0]!.atMs;
  const end = Math.max(seenAtMs, lateWaits.at(-1)!.atMs);
  return [ended, { ...ended, id: `${step.id} again`, again: true, startedAtMs: fromMs, endedAtMs: end, waits: lateWaits }];
}

/** A clock may be put back. */
function inOrder(waits: RecordedStep["waits"], startedAtMs: number): RecordedStep["waits"] {
  let least = startedAtMs;
  return waits.map(({ atMs, because }) => ({ atMs: (least = Math.max(least, atMs)), because }));
}

export function phaseOf({ verb, until }: Pick<RecordedStep, "verb" | "until">): Phase {
  if (verb === "delete" || until === "absent") return "delete";
  return verb === "await" ? "wait" : "apply";
}
