import { unreachable } from "../core/fault/index.ts";
import { titleOf } from "../core/object/index.ts";
import type { StepProgress, Verb } from "../release/index.ts";

/** How parts of a line are set off from each other; plain by default. */
export type Paint = { readonly [role in "good" | "bad" | "dim" | "strong" | "warn"]: (text: string) => string };

const same = (text: string) => text;
export const plainPaint: Paint = { good: same, bad: same, dim: same, strong: same, warn: same };

/** What happened, in one line: `ready    deployment/web`. */
export function stepProgressLine(progress: StepProgress, paint: Paint = plainPaint): string {
  const { ref } = progress;
  const title = ref.namespace === "" ? titleOf(ref) : `${titleOf(ref)} ${paint.dim(`in ${ref.namespace}`)}`;
  const because = "because" in progress && progress.because !== undefined ? `: ${progress.because}` : "";
  return `${paint[paintRole(progress)](stateWord(progress).padEnd(8))} ${title}${because}`;
}

/** What each verb is called while it goes on, and when it is done. */
const words: Readonly<Record<Verb, { readonly started: string; readonly finished: string }>> = {
  apply: { started: "applying", finished: "applied" },
  delete: { started: "deleting", finished: "deleted" },
  await: { started: "watching", finished: "ready" },
  record: { started: "noting", finished: "noted" },
};

/** What an object is that was waited for, where it is not `ready`. */
const reached: Readonly<Partial<Record<NonNullable<StepProgress["until"]>, string>>> = {
  absent: "gone",
  completed: "done",
  present: "present",
};

/** What an object is after a piece of news, in one word. */
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

/** How a piece of news is set off. */
export function paintRole({ type }: StepProgress): keyof Paint {
  return roles[type];
}
