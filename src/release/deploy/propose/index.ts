/** Operations on a release, each settled in full before anything is touched. */
export { releaseFieldManager } from "./proposal-input.ts";
export { proposeDelete, type ReleaseRequest } from "./propose-delete.ts";
export { proposeDeploy, type DeployRequest, type ProposeDeployOptions } from "./propose-deploy.ts";
export { proposeRollback, type RollbackRequest } from "./propose-rollback.ts";
export { proposeTest } from "./propose-test.ts";
