import { failureMessageOf, gvkOf, readEventSource, type EventSource, type Tenant } from "../../api/index.ts";
import { managedUserOf } from "../../tenant/index.ts";
import { accessOfTenant, tenantOf, type ControllerContext, type TenantAccess } from "../context/index.ts";

/** An EventSource and the user as whom it is evaluated; undefined: the controller itself. */
export type EvaluatedSource = { readonly source: EventSource; readonly user: string | undefined };

/** An EventSource of a tenant for whom nothing is done in the cluster. */
export type DeniedSource = {
  readonly name: string;
  readonly tenant: Tenant;
  readonly grants: readonly string[];
  readonly because: string;
};

/** Reads which of these EventSources are evaluated in a cluster, and which are denied. An invalid one is neither. */
export function readSources(
  names: readonly string[],
  cluster: string,
  context: ControllerContext,
): { readonly evaluated: readonly EvaluatedSource[]; readonly denied: readonly DeniedSource[] } {
  const evaluated: EvaluatedSource[] = [];
  const denied: DeniedSource[] = [];
  const known = new Map<string, TenantAccess>();
  for (const name of names) {
    const object = context.cache.find(gvkOf("EventSource"), "", name);
    const reading = object && readEventSource(object);
    if (object === undefined || reading?.state !== "read" || failureMessageOf(reading) !== undefined) continue;
    const author = tenantOf(object, context);
    if (author.state === "platform") evaluated.push({ source: reading.value, user: undefined });
    if (author.state !== "tenant") continue;
    const { tenant } = author;
    const user = managedUserOf(tenant);
    const access = known.get(user) ?? accessOfTenant(tenant, cluster, context);
    known.set(user, access);
    if (access.state === "granted") evaluated.push({ source: reading.value, user });
    else denied.push({ name, tenant, grants: access.grants, because: access.because });
  }
  return { evaluated, denied };
}
