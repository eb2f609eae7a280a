import type { FeatureId } from "../../api/index.ts";
import { Fault } from "../../fault/index.ts";
import { assignmentIn } from "./assignment.ts";
import { Ledger, Superseded } from "./ledger.ts";
import type { AddonOptions, AddonRequest, AddonSite, AddonStory } from "./request.ts";
import { failed } from "./status.ts";
import { leaveResources, withdrawResources } from "./withdraw.ts";

const feature: FeatureId = "Resources";

/**
 * Ends a profile in a cluster: it no longer matches, or the profile is being deleted. By stopMatchingBehavior what was
 * deployed goes in order, or stays without what says whose it is. A profile in DryRun touches nothing. When `settled` is
 * true nothing is left to do, and the ClusterSummary may go.
 */
export async function* withdraw(request: AddonRequest, site: AddonSite, options: AddonOptions): AsyncGenerator<AddonStory> {
  const ledger = new Ledger(request.summary, site.hub);
  const { signal } = options;
  let settled = true;
  try {
    yield* withdrawn(request, ledger, site, options);
  } catch (error) {
    if (signal.aborted || error instanceof Superseded || !(error instanceof Fault)) throw error;
    await ledger.update(failed(feature, error.message, false), signal);
    settled = false;
  }
  const { summary, status } = ledger;
  yield { type: "settled", outcome: { summary, status, settled, final: false, features: settled ? [] : undefined, report: undefined } };
}

async function* withdrawn(request: AddonRequest, ledger: Ledger, site: AddonSite, options: AddonOptions): AsyncGenerator<AddonStory> {
  const assignment = assignmentIn(request);
  const { syncMode, stopMatchingBehavior } = assignment.summary.profile;
  if (syncMode === "DryRun" || (ledger.releaseOf(feature) ?? ledger.summaryOf(feature)) === undefined) return;
  if (stopMatchingBehavior === "LeavePolicies") return await leaveResources(assignment, ledger, site, options);
  for await (const event of withdrawResources(assignment, ledger, site, options)) yield { type: "progress", feature, event };
}
