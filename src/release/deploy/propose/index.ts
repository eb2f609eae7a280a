/** Operations on a release, each settled in full before anything is touched. */
export { manager } from "./common.ts";
export { proposeDelete, type ReleaseRequest } from "./delete.ts";
export { proposeDeploy, type DeployRequest, type ProposeOptions } from "./deploy.ts";
export { proposeRollback, type RollbackRequest } from "./rollback.ts";
export { proposeTest } from "./test.ts";
