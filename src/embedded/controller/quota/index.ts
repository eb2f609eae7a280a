/**
 * Counts what a namespace uses against its ResourceQuotas and writes it into their statuses.
 *
 * It refuses nothing: admission does, from the same counts.
 */
export { quotaController } from "./quota-controller.ts";
export { quotaUsageOf, type ObjectsOf } from "./quota-usage.ts";
