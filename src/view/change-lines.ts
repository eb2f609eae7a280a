import { titleOf, type ObjectRef } from "../core/object/index.ts";
import type { ObjectDiff } from "../release/deploy/index.ts";
import { diffLines, paintDiffLine } from "./diff-lines.ts";
import type { Paint } from "./step-progress-line.ts";

/** What is said of each change. */
export type ChangeWords = Readonly<Record<ObjectDiff["change"], string>>;

/** What a plan is going to do. */
export const plannedWords: ChangeWords = { created: "create", updated: "update", recreated: "replace", deleted: "delete" };

const roles = { created: "good", updated: "warn", recreated: "warn", deleted: "bad" } as const;

/** A change of an object: what happens to it, and the diff of its content. */
export function changeLines(change: ObjectDiff, paint: Paint, words: ChangeWords = plannedWords): readonly string[] {
  const lines = differenceIn(change).map((line) => `  ${paintDiffLine(line, paint)}`);
  const same = change.change === "recreated" && lines.length === 0 ? " by the same" : "";
  const because = change.because === undefined ? "" : `: ${change.because}`;
  return [`${paint[roles[change.change]](words[change.change])} ${objectText(change.ref)}${same}${because}`, ...lines];
}

/** A change as data. */
export function changeOutline(each: ObjectDiff, { diff }: { readonly diff: boolean }): object {
  const { ref, change, because } = each;
  return { ref, change, ...(because === undefined ? {} : { because }), ...(diff ? { diff: differenceIn(each).join("\n") } : {}) };
}

/** A deletion needs no diff. */
function differenceIn({ change, before, after }: ObjectDiff): readonly string[] {
  return change === "deleted" ? [] : diffLines(before, after);
}

function objectText(ref: ObjectRef): string {
  return ref.namespace === "" ? titleOf(ref) : `${titleOf(ref)} in ${ref.namespace}`;
}
