import { keyOf, type ObjectRef } from "../../core/object/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { compareRevisions } from "../../release/diff/index.ts";
import type { Revision } from "../../release/record/index.ts";
import { diffLines } from "../../view/index.ts";
import type { ManifestDiff } from "../api/index.ts";

type ObjectDiff = Awaited<ReturnType<typeof compareRevisions>>[number];

/** How the manifest of an object differs from that of the revision before; undefined when there is none before. */
export async function readManifestDiff(
  ref: ObjectRef,
  after: Revision,
  revisions: readonly Revision[],
  cluster: Cluster,
): Promise<ManifestDiff | undefined> {
  const before = previousOf(after, revisions);
  if (before === undefined || after.state === "unknown") return undefined;
  const diffs = await compareRevisions(before, after, cluster);
  const found = diffs.find((each) => keyOf(each.ref) === keyOf(ref));
  const numbers = { before: before.revision, after: after.revision };
  return found === undefined ? { ...numbers, change: "unchanged", lines: [] } : manifestDiffOf(found, numbers);
}

export function manifestDiffOf({ change, before, after }: ObjectDiff, numbers: Pick<ManifestDiff, "before" | "after">): ManifestDiff {
  return { ...numbers, change: change === "recreated" ? "updated" : change, lines: diffLines(before, after) };
}

/** What was deployed last before a revision, or what was tried last when nothing was. */
function previousOf({ revision }: Revision, revisions: readonly Revision[]): Revision | undefined {
  const earlier = revisions.filter((each) => each.revision < revision && each.state !== "unknown");
  return earlier.findLast(({ state }) => state === "deployed" || state === "superseded") ?? earlier.at(-1);
}
