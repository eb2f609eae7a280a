/**
 * Deploys one profile to one cluster, as its ClusterSummary asks for it: content becomes manifests, which go through the
 * stages of `release` (order, read live, plan, apply), and the result is written to the ClusterSummary's status.
 *
 * Level-based: each function can be killed at any point and continues when it is called again. It does not know which
 * clusters match, dependencies between profiles, watches or retries.
 */
export { owningProfile, type OwningProfile } from "./cluster-summary-scope.ts";
export { chartSourceFrom, type ChartSource } from "./charts/chart-source.ts";
export { withoutProfile, withProfile } from "./cluster-configuration.ts";
export { openTaskHandlers } from "./task-handlers.ts";
export { deployProfile } from "./deploy-profile.ts";
export { ProfileRecordings } from "./profile-recordings.ts";
export { readDrift, repairDrift } from "./drift.ts";
export { summaryStatusOf, Superseded, updateSummaryStatus } from "./summary-status-store.ts";
export { unknownDirectivesIn } from "./patch/patch-directive.ts";
export { preparePatches } from "./patch/prepare-patches.ts";
export { withdrawProfile } from "./withdraw-profile.ts";
export type { AddonRequest, AddonContext, AddonProgress, AddonOutcome, ReadReference } from "./addon-request.ts";
export { forgetDeployed, isWaitingForHealth, resetFeatures } from "./status-change.ts";
export { healthCheckTargetsOf, readDeployedObjects } from "./watched-objects.ts";
export { claimedObjectsOf, claimedReleasesOf, claimKeysOf, firstClaimant, releaseKey, tierOf } from "./object-claims.ts";
export { isOwnedBy, type ProfileRef } from "./tier-conflict.ts";
export { heldIn, isHeld } from "./held-withdrawal.ts";
