/**
 * From a kubeconfig (or the pod we run in) to where a cluster is and who we are to it.
 *
 * It looks at nothing but the Machine it is handed: files, environment and programs come from there.
 */
export { credentialsOf, endpointOf } from "./client-config.ts";
export { withAuthentication, withImpersonation, type Credentials } from "./credentials.ts";
export { chooseContext, findKubeconfig, type SelectedContext } from "./find-kubeconfig.ts";
export { readInClusterConfig } from "./in-cluster-config.ts";
export type { Impersonation, Kubeconfig } from "./kubeconfig.ts";
export { thisMachine, type Machine } from "./machine.ts";
export { tokenFileCredentials } from "./token-file-credentials.ts";
