/**
 * What the API server does to the objects of its built-in kinds when they are written: defaults, preparation, validation, default admission.
 *
 * Pure functions on objects. It knows no store, no request and no controller: what it must read beside the object comes through a small
 * reader, what it must invent (names, addresses, ports) through what is handed in. Custom resources are not its business.
 */
export { runMutatingAdmission, runValidatingAdmission } from "./admission/admission-chain.ts";
export type { AdmissionContext } from "./admission/plugin.ts";
export { matchesQuotaScopes } from "./admission/quota-scope.ts";
export { resourceCountedAs, usageOfObject } from "./admission/quota-usage.ts";
export {
  addQuantities,
  compareQuantities,
  parseQuantity,
  printQuantity,
  quantityOf,
  subtractQuantities,
  type Quantity,
} from "./quantity.ts";
export { podTotals, qosClassOf, type ResourceQuantities } from "./pod-resources.ts";
export type { WriteTime } from "./prepare/generation-and-status.ts";
export { allocateService, type ServiceAllocation, type ServiceAllocator } from "./allocate-service.ts";
export { builtInStrategyFor, type Strategy } from "./strategy.ts";
export { validateObjectMeta, validateObjectMetaUpdate } from "./validation/object-meta.ts";
export { encodedObject } from "./wire/encode.ts";
export { checkDnsSubdomain } from "./validation/name-formats.ts";
