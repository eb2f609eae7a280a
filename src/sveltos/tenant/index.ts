/**
 * Tenants: who they are, what RoleRequests grant them in which clusters, and the objects that a grant consists of.
 *
 * Pure. What a tenant may do is decided by the API servers: the controllers act as the tenant there, by impersonation.
 */
export { grantObjects, grantSelector, roleRequestLabel, tenantAccountObjects, type RoleSource } from "./grant-objects.ts";
export { grantHash, tenantKubeconfig, tenantSecret, tenantSecretName, tokenIsDue, tokenRenewalMs } from "./tenant-kubeconfig.ts";
export { anyRole, grantsIn, isGrantedBy, roleTitle, validRequests } from "./grants.ts";
export { concerns, isSameTenant, isTenantLabel, labelsOfTenant, readTenant, tenantLabelsOf, type TenantReading } from "./tenant-labels.ts";
export { hubUserOf, isRefusalOf, managedAccountOf, managedUserOf, tenantProblem, tenantText } from "./tenant-user.ts";
