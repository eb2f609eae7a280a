/**
 * What the API server does to the objects of its built-in kinds when they are written: defaults, preparation, validation, default admission.
 *
 * Pure functions on objects. It knows no store, no request and no controller: what it must read beside the object comes through a small
 * reader, what it must invent (names, addresses, ports) through what is handed in. Custom resources are not its business.
 */
export { admit, confirm } from "./admission/by-resource.ts";
export type { Surroundings } from "./admission/plugin.ts";
export { isInScope } from "./admission/quota-scope.ts";
export { resourceCountedAs, usageOfObject } from "./admission/quota-usage.ts";
export { add, compare, parseQuantity, printQuantity, quantityOf, subtract, type Quantity } from "./quantity.ts";
export { podTotals, qosClassOf, type Amounts } from "./pod-resources.ts";
export type { Moment } from "./prepare/general.ts";
export { allocateService, type Allocation, type ServiceAllocator } from "./service.ts";
export { strategyFor, type Strategy } from "./strategy.ts";
export { objectMeta, objectMetaUpdate } from "./validation/meta.ts";
export { encoded } from "./wire/encode.ts";
export { dnsSubdomain } from "./validation/names.ts";
