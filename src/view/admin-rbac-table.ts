import { boxTable } from "./box-table.ts";
import type { FleetClusterRef } from "./fleet.ts";

/** One rule that a tenant has in a cluster. */
export type AdminRbacOutline = {
  readonly cluster: Required<FleetClusterRef>;
  /** The ServiceAccount of the tenant: `eng/alice`. */
  readonly admin: string;
  /** `*`: all of them. */
  readonly namespace: string;
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  /** Empty: all of them. */
  readonly resourceNames: readonly string[];
  readonly verbs: readonly string[];
  /** The RoleRequest that grants it. */
  readonly roleRequest: string;
};

/** The table of what tenants may do, as sveltosctl draws it. */
export function adminRbacTable(outlines: readonly AdminRbacOutline[]): readonly string[] {
  const rows = outlines.map(({ cluster, admin, namespace, apiGroups, resources, resourceNames, verbs }) => [
    `${cluster.type === "Capi" ? "Cluster" : "SveltosCluster"}:${cluster.namespace}/${cluster.name}`,
    admin,
    namespace,
    apiGroups.join(","),
    resources.join(","),
    resourceNames.length === 0 ? "*" : resourceNames.join(","),
    verbs.join(","),
  ]);
  return boxTable(["CLUSTER", "ADMIN", "NAMESPACE", "API GROUPS", "RESOURCES", "RESOURCE NAMES", "VERBS"], rows);
}
