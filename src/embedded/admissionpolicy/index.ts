/**
 * ValidatingAdmissionPolicy: expressions of CEL that decide on writes, their bindings and parameters.
 *
 * It knows the admission chain and reads objects through its context. It knows no storage and no request.
 */
export { validatingAdmissionPolicy, type PolicyContext } from "./validating-admission-policy.ts";
export { policyBindingStrategy, policyStrategy } from "./policy-strategy.ts";
export { typeCheckingWarnings } from "./type-checking.ts";
