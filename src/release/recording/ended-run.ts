import type { RecordedRun, RecordedStep } from "./recording.ts";

/** What a step does to its object. */
export type Phase = "apply" | "wait" | "delete";

/** A step whose end is known: that of its run when it did not end before. */
export type EndedStep = RecordedStep & { readonly endedAtMs: number };
export type EndedRun = Omit<RecordedRun, "steps"> & { readonly steps: readonly EndedStep[] };

export function endedRunOf(run: RecordedRun): EndedRun {
  return { ...run, steps: run.steps.map((step) => ({ ...step, endedAtMs: step.endedAtMs ?? run.seenAtMs })) };
}

export function phaseOf({ verb, until }: Pick<RecordedStep, "verb" | "until">): Phase {
  if (verb === "delete" || until === "absent") return "delete";
  return verb === "await" ? "wait" : "apply";
}
