/**
 * The strategies of the built-in kinds: defaulting, preparation, validation, default admission.
 *
 * Pure functions on objects. It knows no storage, no request and no controller: other objects are read through a small
 * reader, and names, addresses and ports come from functions that are passed in. It knows no custom resources.
 */
export { admissionForbidden } from "./admission/plugin.ts";
export { AdmissionChain } from "./admission/admission-chain.ts";
export { admissionPlugins } from "./admission/admission-plugins.ts";
export { aggregateMessages, type AdmissionAttributes, type AdmissionContext, type AdmissionPlugin } from "./admission/plugin.ts";
export { matchesQuotaScopes } from "./admission/quota-scope.ts";
export { resourceCountedAs, usageOfObject } from "./admission/quota-usage.ts";
export { addQuantities, compareQuantities, printQuantity, quantityOf, subtractQuantities, type Quantity } from "./quantity.ts";
export { podTotals, type ResourceQuantities } from "./pod-resources.ts";
export { allocateService, type ServiceAllocator } from "./allocate-service.ts";
export { convertBuiltIn, isConvertible } from "./conversion/convert-built-in.ts";
export { builtInStrategyFor, type Strategy } from "./strategy.ts";
export { validateLabelSelector, validateObjectMeta, validateFinalizers, validateObjectMetaUpdate } from "./validation/object-meta.ts";
export { validateRuleWithOperations, validateWebhookClient } from "./validation/webhook-configuration.ts";
export { exceedsDepth, jsonSyntaxProblem } from "./validation/go-json-syntax.ts";
export { encodedMetadata, encodedObject, wrappedInt32 } from "./wire/encode.ts";
export { inStructOrder } from "./wire/struct-order.ts";
export { checkDns1035Label, checkDnsSubdomain, checkQualifiedName } from "./validation/name-formats.ts";
export { certificateRequestIn } from "./validation/certificate-signing-request.ts";
export { cronScheduleOf, type CronSchedule } from "./validation/cron-schedule.ts";
export { checkMatchConditions } from "./validation/match-conditions.ts";
