/**
 * Operations on a release: deploy, rollback, delete, test.
 *
 * A proposal decides an operation in full from the records, the manifests and the live objects. Running it takes the
 * Lease, runs the plan and writes the records. It does not know where manifests come from or how progress is shown.
 */
export { planBasisOf, checkPlanBasis, type PlanBasis, type TouchedObject } from "./plan-basis.ts";
export { objectDiffs, concealedPlan, type ObjectDiff } from "./object-diff.ts";
export { readIdentity, type ClusterIdentity } from "./cluster-identity.ts";
export { deploy, executeProposal, uninstallRelease, rollback, test, type DeployOptions } from "./deploy.ts";
export type { Proposal, OperationPolicy } from "./proposal.ts";
export type { PlannedObject } from "./planned-object.ts";
export {
  proposeDelete,
  proposeDeploy,
  proposeRollback,
  proposeTest,
  type DeployRequest,
  type ReleaseRequest,
  type RollbackRequest,
} from "./propose/index.ts";
export { parseSavedPlan, savedPlanText, type SavedPlan } from "./saved-plan.ts";
export { usePlan } from "./use-plan.ts";
