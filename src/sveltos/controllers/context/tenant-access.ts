import type { Tenant } from "../../api/index.ts";
import { clusterIdOf } from "../../fleet/index.ts";
import { grantsIn, tenantSecretName, tenantText } from "../../tenant/index.ts";
import { secretKind } from "./content-kinds.ts";
import type { ControllerContext } from "./controller-context.ts";
import { roleRequestKind } from "./tenant-of.ts";

/** By which RoleRequests something may be done for a tenant in a cluster, or why nothing is. */
export type TenantAccess =
  | { readonly state: "granted"; readonly grants: readonly string[] }
  | { readonly state: "denied"; readonly grants: readonly string[]; readonly because: string };

/** Asks whether anything is granted to a tenant in a cluster, which is named by the fleet's key, and its kubeconfig is there. */
export function accessOfTenant(tenant: Tenant, cluster: string, { cache }: Pick<ControllerContext, "cache">): TenantAccess {
  const id = clusterIdOf(cluster);
  const grants = grantsIn(id, tenant, cache.all(roleRequestKind));
  const who = `${tenantText(tenant)} in cluster ${id.namespace}/${id.name}`;
  const denied = (because: string): TenantAccess => ({ state: "denied", grants, because: `${who}: ${because}` });
  if (grants.length === 0) return denied("nothing is granted to it there: no RoleRequest of it is provisioned in that cluster");
  const secret = tenantSecretName(id, tenant);
  if (cache.find(secretKind, id.namespace, secret) === undefined)
    return denied(`its kubeconfig is missing: there is no Secret ${id.namespace}/${secret}`);
  return { state: "granted", grants };
}
