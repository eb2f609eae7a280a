/**
 * What every controller of the management side is handed: clients, informers, the fleet, telemetry.
 *
 * It knows no controller.
 */
export { Copies } from "./shared-cache.ts";
export type { Desk } from "./controller-context.ts";
