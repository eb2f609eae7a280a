/**
 * From a kubeconfig (or the pod we run in) to where a cluster is and who we are to it.
 *
 * It looks at nothing but the Machine it is handed: files, environment and programs come from there.
 */
export { credentialsOf, endpointOf } from "./access.ts";
export { authenticating, impersonating, type Credentials } from "./credentials.ts";
export { chooseContext, findKubeconfig, type Choice } from "./find.ts";
export { findInCluster } from "./in-cluster.ts";
export type { Impersonation, Kubeconfig } from "./kubeconfig.ts";
export { thisMachine, type Machine } from "./machine.ts";
export { tokenFile } from "./token-file.ts";
