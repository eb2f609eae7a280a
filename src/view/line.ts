import { titleOf } from "../object/index.ts";
import type { Progress } from "../release/index.ts";
import { unreachable } from "../fault/index.ts";

/** How parts of a line are set off from each other; plain by default. */
export type Paint = { readonly [role in "good" | "bad" | "dim" | "strong" | "warn"]: (text: string) => string };

const same = (text: string) => text;
export const plain: Paint = { good: same, bad: same, dim: same, strong: same, warn: same };

/** What happened, in one line: `ready    deployment/web`. */
export function lineFor(progress: Progress, paint: Paint = plain): string {
  const { ref } = progress;
  const title = ref.namespace === "" ? titleOf(ref) : `${titleOf(ref)} ${paint.dim(`in ${ref.namespace}`)}`;
  switch (progress.type) {
    case "started":
      return line(paint.dim, progress.verb === "apply" ? "applying" : "watching", title);
    case "waiting":
      return line(paint.warn, "waiting", title, progress.because);
    case "finished":
      return line(paint.good, progress.verb === "apply" ? "applied" : "ready", title, progress.because);
    case "failed":
      return line(paint.bad, "failed", title, progress.because);
    case "skipped":
      return line(paint.dim, "skipped", title, progress.because);
    default:
      return unreachable(progress);
  }
}

function line(color: (text: string) => string, word: string, title: string, because?: string): string {
  return `${color(word.padEnd(8))} ${title}${because === undefined ? "" : `: ${because}`}`;
}
