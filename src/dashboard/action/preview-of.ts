import { lineFor } from "../../core/fault/index.ts";
import { titleOf } from "../../core/object/index.ts";
import { objectDiffs, type Proposal } from "../../release/deploy/index.ts";
import { diffLines, plainLine, proposalLines } from "../../view/index.ts";
import type { ActionPreview, PreviewedChange } from "../api/index.ts";

/** More changes than this are counted only, and more lines of one are cut off. */
const maxChanges = 500;
const maxLines = 400;

/** What a preview says of the proposal of a release. */
type ProposalPreview = Pick<ActionPreview, "summary" | "steps" | "changes" | "leftOut" | "warnings">;

type PlaceOfAction = { readonly context: string; readonly keepHistory: boolean };

/** Says what a proposal does: in sentences, as a tree of steps, and object by object. */
export function previewOf(proposal: Proposal, place: PlaceOfAction): ProposalPreview {
  const diffs = objectDiffs(proposal);
  const changes = diffs.slice(0, maxChanges).map(({ ref, change, before, after }): PreviewedChange => {
    const lines = change === "deleted" ? [] : diffLines(before, after).map(plainLine);
    return { ref, change, lines: lines.length > maxLines ? [...lines.slice(0, maxLines), "..."] : lines };
  });
  return {
    summary: summaryOf(proposal, diffs, place),
    steps: proposalLines(proposal, { diff: false, keepHistory: place.keepHistory }).map(plainLine),
    changes,
    leftOut: diffs.length - changes.length,
    warnings: proposal.warnings.map(lineFor),
  };
}

function summaryOf(proposal: Proposal, diffs: readonly Pick<PreviewedChange, "change">[], place: PlaceOfAction): readonly string[] {
  const { release, plan } = proposal;
  const hooks = plan.steps.flatMap(({ hook, action }) => (hook === true && action.verb === "apply" ? [titleOf(action.ref)] : []));
  return [
    `In the cluster of context ${place.context}, namespace ${release.namespace}: ${recordText(proposal, place.keepHistory)}.`,
    ...(proposal.createsNamespace ? [`Namespace ${release.namespace} is created.`] : []),
    countsText(proposal, diffs),
    ...(hooks.length === 0 ? [] : [`Hooks run: ${[...new Set(hooks)].join(", ")}.`]),
    ...(plan.kept.length === 0 ? [] : [`Left where they are: ${plan.kept.map(({ ref }) => titleOf(ref)).join(", ")}.`]),
  ];
}

/** What becomes of the records of the release. */
function recordText({ release, operation, revision, unchanged }: Proposal, keepHistory: boolean): string {
  const { name } = release;
  if (operation === "delete") return `release ${name} is deleted, and its records ${keepHistory ? "stay" : "go last"}`;
  if (unchanged) return `release ${name} is as it should be, and no revision is made`;
  if (revision.stored !== undefined) return `revision ${revision.revision} of release ${name}, which was interrupted, is carried on`;
  const [, from] = /^(?:Rollback to|Redeploy of) (\d+)$/.exec(revision.description) ?? [];
  const content = from === undefined ? "" : `, with the content of revision ${from}`;
  return `revision ${revision.revision} of release ${name} is made${content}`;
}

const words: readonly (readonly [PreviewedChange["change"], string])[] = [
  ["created", "created"],
  ["updated", "changed"],
  ["recreated", "deleted and made anew"],
  ["deleted", "deleted"],
];

function countsText({ plan }: Proposal, diffs: readonly Pick<PreviewedChange, "change">[]): string {
  const counts = words.flatMap(([change, word]) => {
    const count = diffs.filter((each) => each.change === change).length;
    return count === 0 ? [] : [`${count} ${count === 1 ? "object is" : "objects are"} ${word}`];
  });
  const same = plan.steps.filter(({ action }) => action.verb === "apply" && action.change === "unchanged").length;
  const stay = same === 0 ? [] : [`${same} ${same === 1 ? "stays" : "stay"} as ${same === 1 ? "it is" : "they are"}`];
  const all = [...counts, ...stay];
  return all.length === 0 ? "No object is changed." : `${all.join(", ").replace(/^./, (first) => first.toUpperCase())}.`;
}
