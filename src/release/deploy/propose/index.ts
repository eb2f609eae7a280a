/** Proposes operations on a release: each is decided in full before anything changes. */
export { releaseFieldManager } from "./proposal-input.ts";
export { proposeDelete, readDeletedRevisions, type DeleteRequest, type ReleaseRequest } from "./propose-delete.ts";
export { mayCreateNamespace, proposeDeploy, type DeployRequest } from "./propose-deploy.ts";
export { proposeRedeploy } from "./propose-redeploy.ts";
export { proposeRollback, type RollbackRequest } from "./propose-rollback.ts";
export { proposeTest } from "./propose-test.ts";
