import type { ObjectDiff } from "../release/deploy/index.ts";
import { changeLines, changeOutline, plannedWords, type ChangeWords } from "./change-lines.ts";
import { plainPaint, type Paint } from "./step-progress-line.ts";

/** What was compared, and in what it differs. */
export type Comparison = {
  /** What was compared, for people. */
  readonly title: string;
  /** What was compared, as data. */
  readonly about: object;
  /** Whose words are used: of two records, of a record and the cluster, or of what a plan is going to do. */
  readonly kind: "records" | "drift" | "plan";
  readonly changes: readonly ObjectDiff[];
};

const words: Readonly<Record<Comparison["kind"], ChangeWords>> = {
  records: { created: "added", updated: "changed", recreated: "replaced", deleted: "removed" },
  drift: { created: "added", updated: "changed", recreated: "replaced", deleted: "gone" },
  plan: plannedWords,
};

/** A comparison for users: the diff of each object, then how many there are. */
export function comparisonLines({ title, kind, changes }: Comparison, paint: Paint = plainPaint): readonly string[] {
  if (changes.length === 0) return [`${paint.good("no difference")}: ${title}`];
  const texts = words[kind];
  const counts = (["created", "updated", "recreated", "deleted"] as const).flatMap((change) => {
    const count = changes.filter((each) => each.change === change).length;
    return count === 0 ? [] : [`${count} ${kind === "plan" ? "to " : ""}${texts[change]}`];
  });
  return [...changes.flatMap((change) => [...changeLines(change, paint, texts), ""]), paint.strong(`${title}: ${counts.join(", ")}`)];
}

/** A comparison as one indented JSON document. Sensitive values are hidden in it too. */
export function comparisonJson({ about, changes }: Comparison): string {
  return JSON.stringify({ ...about, changes: changes.map((each) => changeOutline(each, { diff: true })) }, undefined, 2);
}
