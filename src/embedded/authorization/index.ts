/**
 * What a user may do: role-based access control, its bootstrap roles, and the checks against giving away more than one has.
 *
 * It knows users, verbs, resources and the objects of rbac.authorization.k8s.io, and nothing of requests and their bodies.
 */
export { aggregatedRules } from "./aggregated-rules.ts";
export { accessForbidden, type Attributes, type Authorizer } from "./attributes.ts";
export { alwaysAllow } from "./always-allow.ts";
export { createBootstrapPolicy } from "./create-bootstrap-policy.ts";
export { checkEscalation } from "./escalation.ts";
export { checkSignerPermission } from "./signer-permission.ts";
export { rbacKeys, RbacAuthorizer } from "./rbac-authorizer.ts";
