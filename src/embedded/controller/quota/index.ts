/**
 * Computes the usage of ResourceQuotas and writes it to their statuses.
 *
 * It rejects nothing: admission does, from the same usage.
 */
export { quotaController } from "./quota-controller.ts";
