/**
 * What webhooks and policies have in common: which writes they are asked about, and what they are told of them.
 *
 * It knows the attributes of a write and reads namespaces through its context. It knows neither webhooks nor policies.
 */
export { admissionRequestOf, nameOf, namespaceOf } from "./admission-request.ts";
export { bindingsOf } from "./expression-bindings.ts";
export type { MatchContext, ResourceVersion } from "./match-context.ts";
export { compiledMatchConditions, holdingConditions } from "./match-conditions.ts";
export { isAdmissionConfiguration, matchedVersion } from "./matched-version.ts";
export { versionedObjects } from "./written-objects.ts";
