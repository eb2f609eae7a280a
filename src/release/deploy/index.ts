/**
 * What is done to a release as a whole: deploy, roll back, delete, test.
 *
 * A proposal settles an operation in full, from the records, the manifests and the cluster as it is; carrying it out takes
 * the Lease, runs the plan and keeps the record. It knows neither where manifests come from nor who looks on.
 */
export { basisOf, checkBasis, type Basis, type Touched } from "./basis.ts";
export { changesOf, concealedPlan, type ObjectChange } from "./changes.ts";
export { readIdentity, type ClusterIdentity } from "./cluster-identity.ts";
export { contentOf, manifestsOf } from "./content.ts";
export { formerOf } from "./former.ts";
export { hooksDoneIn } from "./hook-runs.ts";
export { deploy, execute, remove, rollback, test, type DeployOptions } from "./perform.ts";
export type { Proposal, Terms } from "./proposal.ts";
export type { Prospect } from "./prospect.ts";
export {
  proposeDelete,
  proposeDeploy,
  proposeRollback,
  proposeTest,
  type DeployRequest,
  type ReleaseRequest,
  type RollbackRequest,
} from "./propose/index.ts";
export { readSaved, savedText, type SavedPlan } from "./saved-plan.ts";
export { usePlan } from "./use-plan.ts";
