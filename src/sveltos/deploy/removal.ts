import type { FeatureId } from "../api/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { assignmentIn } from "./assignment.ts";
import { leaveCharts, withdrawCharts } from "./charts/withdraw.ts";
import { Ledger, Superseded } from "./ledger.ts";
import type { AddonOptions, AddonRequest, AddonSite, AddonStory } from "./request.ts";
import { failed } from "./status.ts";
import { leaveResources, withdrawResources } from "./withdraw.ts";

/**
 * Ends a profile in a cluster: it no longer matches, or the profile is being deleted. By stopMatchingBehavior what was
 * deployed goes in order, or stays without what says whose it is. A profile in DryRun touches nothing. When `settled` is
 * true nothing is left to do, and the ClusterSummary may go.
 */
export async function* withdraw(request: AddonRequest, site: AddonSite, options: AddonOptions): AsyncGenerator<AddonStory> {
  const ledger = new Ledger(request.summary, site.hub);
  const { signal } = options;
  let settled = true;
  for (const feature of ["Helm", "Resources"] as const) {
    try {
      yield* withdrawn(feature, request, ledger, site, options);
    } catch (error) {
      if (signal.aborted || error instanceof Superseded || !(error instanceof Fault)) throw error;
      await ledger.update(failed(feature, error.message, false), signal);
      settled = false;
    }
  }
  const { summary, status } = ledger;
  yield {
    type: "settled",
    outcome: { summary, status, settled, final: false, features: settled ? [] : undefined, displaced: [], unserved: [], report: undefined },
  };
}

async function* withdrawn(
  feature: "Helm" | "Resources",
  request: AddonRequest,
  ledger: Ledger,
  site: AddonSite,
  options: AddonOptions,
): AsyncGenerator<AddonStory> {
  const assignment = assignmentIn(request);
  const { syncMode, stopMatchingBehavior } = assignment.summary.profile;
  if (syncMode === "DryRun" || !isThere(feature, ledger)) return;
  if (stopMatchingBehavior === "LeavePolicies")
    return feature === "Helm" ? await leaveCharts(ledger, options) : await leaveResources(assignment, ledger, site, options);
  const take = feature === "Helm" ? withdrawCharts : withdrawResources;
  for await (const event of take(assignment, ledger, site, options)) yield { type: "progress", feature, event };
}

function isThere(feature: FeatureId, ledger: Ledger): boolean {
  const releases = feature === "Helm" ? (ledger.status.helmReleaseSummaries ?? []) : [];
  return releases.length > 0 || ledger.releaseOf(feature) !== undefined || ledger.summaryOf(feature) !== undefined;
}
