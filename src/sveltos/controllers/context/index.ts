/**
 * What every controller gets: the client of the management cluster, the shared cache of its informers, the fleet, telemetry.
 *
 * It does not know the controllers.
 */
export { configMapKind, secretKind } from "./content-kinds.ts";
export { logDenial } from "./log-denial.ts";
export { recordConditions } from "./record-conditions.ts";
export { roleRequestKind, templateOwnerOf, tenantOf } from "./tenant-of.ts";
export { accessOfTenant, type TenantAccess } from "./tenant-access.ts";
export { SharedCache } from "./shared-cache.ts";
export type { ControllerContext, TraceSink } from "./controller-context.ts";
