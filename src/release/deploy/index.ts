/**
 * Operations on a release: deploy, rollback, delete, test.
 *
 * A proposal decides an operation in full from the records, the manifests and the live objects. Running it takes the
 * Lease, runs the plan and writes the records. It does not know where manifests come from or how progress is shown.
 */
export { objectDiffs, concealedPlan, type ObjectDiff } from "./object-diff.ts";
export { narrowedTo } from "./narrowed-object.ts";
export { readIdentity } from "./cluster-identity.ts";
export { deploy, uninstallRelease, redeploy, rollback, test, type DeployOptions } from "./deploy.ts";
export type { Proposal, OperationPolicy } from "./proposal.ts";
export type { PlannedObject } from "./planned-object.ts";
export { proposeDelete, proposeDeploy, proposeRedeploy, proposeRollback, mayCreateNamespace, type DeployRequest } from "./propose/index.ts";
export { sensitiveObjectsOf, textConcealerFor } from "./sensitive-objects.ts";
export { parseSavedPlan, savedPlanText, type SavedPlan } from "./saved-plan.ts";
export { checkRelease, type ReleaseExpectation } from "./release-expectation.ts";
export { waitForNamespace } from "./wait-for-namespace.ts";
export { checkSavedPlan, usePlan } from "./use-plan.ts";
