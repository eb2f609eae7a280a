import type { ClusterReportStatus, DeployedFeature, FeatureId } from "../../api/index.ts";
import { Fault } from "../../fault/index.ts";
import type { Story } from "../../release/index.ts";
import { assignmentOf } from "./assignment.ts";
import { makingFor } from "./desire.ts";
import { rehearseResources } from "./dry-run.ts";
import { Ledger, Superseded } from "./ledger.ts";
import { MissingReference } from "./missing.ts";
import type { AddonOptions, AddonRequest, AddonSite, AddonStory, Assignment, Outcome } from "./request.ts";
import { deployResources } from "./resources.ts";
import { failed } from "./status.ts";
import { withdrawResources } from "./withdraw.ts";

/** How one feature came out. */
type Ending = {
  readonly feature: DeployedFeature | undefined;
  readonly report?: ClusterReportStatus;
  readonly failed: boolean;
  readonly final: boolean;
};
type Work = AsyncGenerator<Story, Omit<Ending, "final">>;

/**
 * Brings a profile's content into a cluster, as the ClusterSummary asks for it, and keeps its status. Whatever goes wrong
 * with the content or the cluster ends in that status and not in a throw; thrown is what only its caller can deal with: an
 * abort, a ClusterSummary that has changed, a management cluster that does not answer.
 */
export async function* deploy(request: AddonRequest, site: AddonSite, options: AddonOptions): AsyncGenerator<AddonStory> {
  const ledger = new Ledger(request.summary, site.hub);
  const assignment = readable(request);
  if (assignment instanceof Fault) return yield* refused(assignment, ledger, options);
  await ledger.update(({ failureMessage: _over, ...status }) => status, options.signal);
  const endings: Ending[] = [];
  for (const feature of featuresOf(assignment, ledger)) {
    const work = workOn(feature, assignment, ledger, site, options);
    endings.push(yield* guarded(feature, work, ledger, options));
  }
  yield { type: "settled", outcome: outcomeOf(endings, ledger, assignment) };
}

function readable(request: AddonRequest): Assignment | Fault {
  try {
    return assignmentOf(request);
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

/** What is not built is said, and nothing is deployed; what is deployed already stays. */
async function* refused(fault: Fault, ledger: Ledger, { signal }: AddonOptions): AsyncGenerator<AddonStory> {
  await ledger.update((status) => ({ ...status, failureMessage: fault.message }), signal);
  const { summary, status } = ledger;
  yield { type: "settled", outcome: { summary, status, settled: false, final: true, features: undefined, report: undefined } };
}

function featuresOf({ summary: { profile } }: Assignment, ledger: Ledger): readonly FeatureId[] {
  const has = (feature: FeatureId) => ledger.summaryOf(feature) !== undefined || ledger.releaseOf(feature) !== undefined;
  return profile.policyRefs.length > 0 || has("Resources") ? ["Resources"] : [];
}

async function* workOn(feature: FeatureId, assignment: Assignment, ledger: Ledger, site: AddonSite, options: AddonOptions): Work {
  const { profile } = assignment.summary;
  if (profile.syncMode === "OneTime" && ledger.summaryOf(feature)?.status === "Provisioned") return { feature: undefined, failed: false };
  const making = await makingFor(assignment, site, options);
  if (profile.syncMode === "DryRun") return yield* rehearseResources(assignment, making, ledger, site, options);
  if (profile.policyRefs.length === 0) return yield* withdrawResources(assignment, ledger, site, options);
  return yield* deployResources(assignment, making, ledger, site, options);
}

async function* guarded(feature: FeatureId, work: Work, ledger: Ledger, { signal }: AddonOptions): AsyncGenerator<AddonStory, Ending> {
  try {
    for (;;) {
      const step = await work.next();
      if (step.done === true) return { ...step.value, final: false };
      yield { type: "progress", feature, event: step.value };
    }
  } catch (error) {
    if (signal.aborted || error instanceof Superseded || !(error instanceof Fault)) throw error;
    await ledger.update(failed(feature, error.message, error instanceof MissingReference), signal);
    return { feature: undefined, failed: true, final: error.final };
  } finally {
    await work.return({ feature: undefined, failed: true });
  }
}

function outcomeOf(endings: readonly Ending[], ledger: Ledger, { summary: { profile } }: Assignment): Outcome {
  const isDryRun = profile.syncMode === "DryRun";
  const features = endings.flatMap(({ feature }) => (feature === undefined ? [] : [feature]));
  const report = endings.reduce<ClusterReportStatus>((all, each) => ({ ...all, ...each.report }), {});
  return {
    summary: ledger.summary,
    status: ledger.status,
    settled: endings.every((each) => !each.failed),
    final: endings.some((each) => each.final),
    features: features.length < endings.length ? undefined : features,
    report: isDryRun ? report : undefined,
  };
}
