import type { Story } from "../../../release/index.ts";
import type { Ledger } from "../ledger.ts";
import type { AddonOptions, AddonSite, Assignment } from "../request.ts";
import type { FeatureResult } from "../resources.ts";
import { all, forgotten, removing, withCharts } from "../status.ts";
import { dropCharts } from "./deploy.ts";
import { readRivals } from "./rival.ts";

/** Uninstalls the releases that a profile manages, the last first. Afterwards the ClusterSummary says nothing of them. */
export async function* withdrawCharts(
  assignment: Assignment,
  ledger: Ledger,
  site: AddonSite,
  options: AddonOptions,
): AsyncGenerator<Story, FeatureResult> {
  const { signal } = options;
  const rivals = await readRivals(assignment, site.hub, { signal });
  await ledger.update(removing("Helm"), signal);
  yield* dropCharts(ledger.status.helmReleaseSummaries ?? [], rivals, ledger, site, options);
  await leaveCharts(ledger, options);
  return { feature: { featureID: "Helm", charts: [] }, failed: false };
}

/** Leaves the releases where they are, and forgets them: LeavePolicies. */
export function leaveCharts(ledger: Ledger, { signal }: AddonOptions): Promise<void> {
  return ledger.update(all(withCharts([]), forgotten("Helm")), signal);
}
