/**
 * What every controller of the management side is handed: clients, informers, the fleet, telemetry.
 *
 * It knows no controller.
 */
export { SharedCache } from "./shared-cache.ts";
export type { ControllerContext } from "./controller-context.ts";
