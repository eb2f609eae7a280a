import { unreachable } from "../core/fault/index.ts";
import { titleOf } from "../core/object/index.ts";
import type { Progress, StepProgress, Verb } from "../release/index.ts";

/** How parts of a line are coloured; plain by default. */
export type Paint = { readonly [role in "good" | "bad" | "dim" | "strong" | "warn"]: (text: string) => string };

const same = (text: string) => text;
export const plainPaint: Paint = { good: same, bad: same, dim: same, strong: same, warn: same };

/** The progress of a step in one line: `ready    deployment/web`. */
export function stepProgressLine(progress: StepProgress, paint: Paint = plainPaint): string {
  const { ref } = progress;
  const title = ref.namespace === "" ? titleOf(ref) : `${titleOf(ref)} ${paint.dim(`in ${ref.namespace}`)}`;
  const because = "because" in progress && progress.because !== undefined ? `: ${progress.because}` : "";
  return `${paint[paintRole(progress)](stateWord(progress).padEnd(8))} ${title}${because}`;
}

/** The words for each verb while it runs and when it has finished. */
const words: Readonly<Record<Verb, { readonly started: string; readonly finished: string }>> = {
  apply: { started: "applying", finished: "applied" },
  delete: { started: "deleting", finished: "deleted" },
  await: { started: "watching", finished: "ready" },
  record: { started: "noting", finished: "noted" },
};

/** The words for a finished wait that was not for readiness. */
const reached: Readonly<Partial<Record<NonNullable<StepProgress["until"]>, string>>> = {
  absent: "gone",
  completed: "done",
  present: "present",
};

/** The state of an object after this progress, in one word. */
export function stateWord({ type, verb, until }: StepProgress): string {
  switch (type) {
    case "started":
      return words[verb].started;
    case "finished":
      return verb === "await" && until !== undefined ? (reached[until] ?? words.await.finished) : words[verb].finished;
    case "waiting":
    case "failed":
    case "skipped":
      return type;
    default:
      return unreachable(type);
  }
}

const roles = { started: "dim", waiting: "warn", finished: "good", failed: "bad", skipped: "dim" } as const;

/** The colour of a step's progress. */
export function paintRole({ type }: StepProgress): keyof Paint {
  return roles[type];
}

/** Tells whether an event is about a record and worth a line: records that succeed are not. */
export function isShownRecord(event: Progress): event is StepProgress {
  return "verb" in event && event.verb === "record" && (event.type === "failed" || event.type === "waiting");
}
