/**
 * Reads a kubeconfig, or a pod's service account, into an endpoint and credentials.
 *
 * It reads files, environment and programs only through the given Machine.
 */
export { credentialsOf, endpointOf } from "./client-config.ts";
export { withAuthentication, withImpersonation, type Credentials } from "./credentials.ts";
export { chooseContext, findKubeconfig } from "./find-kubeconfig.ts";
export { flattenContext } from "./flatten-context.ts";
export { readInClusterConfig } from "./in-cluster-config.ts";
export type { Impersonation } from "./kubeconfig.ts";
export { thisMachine, type Machine } from "./machine.ts";
export { tokenFileCredentials } from "./token-file-credentials.ts";
