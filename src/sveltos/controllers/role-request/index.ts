/**
 * Reconciles RoleRequests: the ServiceAccount, Roles, bindings and kubeconfig of a tenant in every cluster that matches.
 *
 * It does not know what tenants do with them.
 */
export { runRoleRequestController } from "./run-role-request-controller.ts";
