/**
 * Role-based access control: keeps the rules of aggregated ClusterRoles.
 *
 * It knows roles only; bindings and users are the authorizer's.
 */
export { clusterRoleAggregation } from "./cluster-role-aggregation.ts";
