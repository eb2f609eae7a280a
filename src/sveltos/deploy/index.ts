/**
 * Deploys one profile to one cluster, as its ClusterSummary asks for it: content becomes manifests, which take the release
 * road (order, survey, plan, apply), and what became of it is kept in the ClusterSummary's status.
 *
 * Level-based: each use case takes things as they are, may be killed at any instant, and carries on when it is called
 * again. It does not know which clusters match, who depends on whom, what is watched or when to try again.
 */
export { owningProfile, type OwningProfile } from "./cluster-summary-scope.ts";
export { chartSourceFrom, type ChartSource } from "./charts/chart-source.ts";
export { withoutProfile, withProfile } from "./cluster-configuration.ts";
export { deployProfile } from "./deploy-profile.ts";
export { readDrift, repairDrift, type DriftOptions } from "./drift.ts";
export { summaryStatusOf, Superseded, updateSummaryStatus } from "./summary-status-store.ts";
export { withdrawProfile } from "./withdraw-profile.ts";
export type { AddonOptions, AddonRequest, AddonContext, AddonProgress, AddonOutcome, ReadReference } from "./addon-request.ts";
export { isWaitingForHealth, resetFeatures } from "./status-change.ts";
export { healthCheckTargetsOf, readDeployedObjects, type HealthCheckTarget, type DeployedObject } from "./watched-objects.ts";
