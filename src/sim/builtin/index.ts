/**
 * What the API server does to the objects of its built-in kinds when they are written: defaults, preparation, validation, default admission.
 *
 * Pure functions on objects. It knows no store, no request and no controller: what it must read beside the object comes through a small
 * reader, what it must invent (names, addresses, ports) through what is handed in. Custom resources are not its business.
 */
export { admit, confirm } from "./admission/admit.ts";
export { isInScope, quotaStatus, usageOf, type Charge, type Counted, type QuotaVerdict } from "./admission/quota.ts";
export type { Admission, AdmissionRequest, Reader, Refusal } from "./admission/request.ts";
export { podTotals, qosClassOf, type Amounts } from "./pod-resources.ts";
export type { Moment } from "./prepare/general.ts";
export { add, compare, parseQuantity, printQuantity, quantityOf, subtract, type Quantity } from "./quantity.ts";
export { allocateService, type Allocation, type ServiceAllocator } from "./service.ts";
export { strategyFor, type Strategy } from "./strategy.ts";
export { selects } from "./validation/selector.ts";
export { decodingProblem } from "./wire/decode.ts";
export { encoded } from "./wire/encode.ts";
