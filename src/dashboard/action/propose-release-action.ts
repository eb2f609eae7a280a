import { Fault } from "../../core/fault/index.ts";
import {
  checkSavedPlan,
  parseSavedPlan,
  proposeRedeploy,
  proposeRollback,
  readIdentity,
  type Proposal,
  type SavedPlan,
} from "../../release/deploy/index.ts";
import { isUnfinished, readLeaseHolder } from "../../release/record/index.ts";
import { readMissingRights } from "../../release/rights/index.ts";
import type { ActionPreview, ActionRequest } from "../api/index.ts";
import { missingRightText } from "./missing-right-text.ts";
import { previewOf } from "./preview-of.ts";
import type { ActionContext, ProposedAction } from "./proposed-action.ts";
import { runSavedPlan } from "./run-saved-plan.ts";

/** How an action is called. */
type Named = Pick<ActionPreview, "title" | "verb" | "command" | "drawnUpAtMs">;

/** Settles a rollback in full. */
export async function proposeRollbackAction(
  { namespace, name, to }: Extract<ActionRequest, { type: "rollback" }>,
  at: ActionContext,
): Promise<ProposedAction> {
  const release = { namespace, name };
  const proposal = await proposeRollback({ release, to }, at.cluster, at);
  const title = `Roll back ${name} to revision ${to}`;
  const command = ["sluice", "rollback", name, String(to), "-n", namespace];
  return actionFor(await savedFrom(proposal, at), proposal, { title, verb: "Roll back", command }, at);
}

/** Settles in full that the latest revision of a release is deployed again, or carried on. */
export async function proposeRedeployAction(
  { namespace, name }: Extract<ActionRequest, { type: "redeploy" }>,
  at: ActionContext,
): Promise<ProposedAction> {
  const release = { namespace, name };
  const proposal = await proposeRedeploy({ release }, at.cluster, at);
  const { revision, operation } = proposal;
  const carriesOn = revision.stored !== undefined && isUnfinished(revision);
  const saved = await savedFrom(proposal, at);
  const named = carriesOn
    ? { title: `Carry on revision ${revision.revision} of ${name}`, verb: "Carry on" }
    : { title: `Redeploy ${name}`, verb: "Redeploy" };
  const command = ["sluice", "redeploy", "release", name, "-n", namespace];
  // What is not known is whether its records were to be kept: they are.
  const kept = operation === "delete" ? { ...saved, keepHistory: true } : saved;
  return { ...(await actionFor(kept, proposal, { ...named, command }, at)), carriesOn };
}

/** Settles a saved plan in full: whether it fits the cluster, and what it changes. */
export async function proposePlanAction(
  { file, text }: Extract<ActionRequest, { type: "plan" }>,
  at: ActionContext,
): Promise<ProposedAction> {
  const saved = parseSavedPlan(text, file);
  const { proposal } = saved;
  const { release, operation, revision } = proposal;
  if (operation === "test") throw new Fault(`use the plan ${file}`, "it runs tests and deploys nothing", { final: true });
  const command = operation === "rollback" || operation === "delete" ? operation : "deploy";
  const named = {
    title: `Run the plan ${file}: ${operation} ${release.name}`,
    verb: "Run the plan",
    command: ["sluice", command, "--use-plan", file],
    ...drawnUp(revision.lastDeployed, operation),
  };
  try {
    const objects = await checkSavedPlan(saved, at.cluster, at.signal);
    return await actionFor(saved, { ...proposal, objects }, named, at);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    // What it would have done is shown all the same, as far as the file says it.
    return actionFor(saved, proposal, named, at, error.message);
  }
}

/** The time of a deletion is not in its plan. */
function drawnUp(at: string | undefined, operation: Proposal["operation"]): Partial<Pick<ActionPreview, "drawnUpAtMs">> {
  const drawnUpAtMs = Date.parse(at ?? "");
  return Number.isNaN(drawnUpAtMs) || operation === "delete" ? {} : { drawnUpAtMs };
}

async function savedFrom(proposal: Proposal, { cluster, signal }: ActionContext): Promise<SavedPlan> {
  return { cluster: await readIdentity(cluster, proposal.release.namespace, { signal }), proposal };
}

/** `shown` is the proposal with what is live. */
async function actionFor(
  saved: SavedPlan,
  shown: Proposal,
  named: Named,
  { cluster, context, signal }: ActionContext,
  refusal?: string,
): Promise<ProposedAction> {
  const { release } = shown;
  const missing = refusal === undefined ? await readMissingRights(shown, cluster, signal) : [];
  const holder = await readLeaseHolder(cluster, release, { signal });
  const content = previewOf(shown, { context, keepHistory: saved.keepHistory ?? false });
  const busy =
    holder === undefined || holder.silent
      ? []
      : [`${holder.name} has been at work on this release since ${holder.since}: this is refused unless that ends within moments.`];
  return {
    preview: {
      ...named,
      ...content,
      warnings: [...busy, ...content.warnings],
      refusals: refusal === undefined ? missing.map(missingRightText) : [refusal],
    },
    view: { type: "release", context, ...release },
    run: (options) => runSavedPlan(saved, cluster, options),
  };
}
