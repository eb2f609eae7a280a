import { objectDiffs, concealedPlan, type ObjectDiff, type Proposal } from "../release/deploy/index.ts";
import { changeLines, changeOutline } from "./change-lines.ts";
import { plainPaint, type Paint } from "./step-progress-line.ts";
import { planTree } from "./plan.ts";

type ProposalView = {
  /** Shows what changes inside each object. Default true. */
  readonly diff?: boolean;
  /** The records stay when the release is deleted. Default false. */
  readonly keepHistory?: boolean;
};

/** A proposal for users: the diff of each object, then the plan as a tree. */
export function proposalLines(
  proposal: Proposal,
  { diff = true, keepHistory = false }: ProposalView = {},
  paint: Paint = plainPaint,
): readonly string[] {
  const { plan, operation, release, revision, unchanged } = proposal;
  if (unchanged) {
    const head = `${paint.good("unchanged")}: ${release.name} in ${release.namespace}, revision ${revision.revision}`;
    return plan.steps.length === 0 ? [head] : [head, ...planTree(plan, paint).slice(1)];
  }
  const changes = diff ? shownDiffs(proposal).flatMap((change) => [...changeLines(change, paint), ""]) : [];
  const records = operation === "delete" ? ["records", keepHistory ? "  stay, as those of a release that was" : "  are deleted last"] : [];
  const about = operation === "rollback" ? revision.description : "";
  return [...changes, ...planTree(plan, paint, about), ...records];
}

/** In a deletion the tree names all that goes. */
function shownDiffs(proposal: Proposal): readonly ObjectDiff[] {
  const diffs = objectDiffs(proposal);
  return proposal.operation === "delete" ? diffs.filter(({ change }) => change !== "deleted") : diffs;
}

/** A proposal as one indented JSON document. Sensitive values are hidden in it too. */
export function proposalJson(proposal: Proposal, { diff = true, keepHistory = false }: ProposalView = {}): string {
  const { release, revision, operation, unchanged, warnings } = proposal;
  const plan = concealedPlan(proposal);
  const changes = objectDiffs(proposal).map((each) => changeOutline(each, { diff }));
  const more = operation === "delete" ? { keepHistory } : operation === "rollback" ? { description: revision.description } : {};
  const document = { release, revision: revision.revision, operation, ...more, unchanged, plan, changes, kept: plan.kept, warnings };
  return JSON.stringify(document, undefined, 2);
}
