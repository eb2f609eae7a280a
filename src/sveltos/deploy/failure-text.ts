import type { Fault } from "../../core/fault/index.ts";
import type { AddonContext, ClusterSummaryScope } from "./addon-request.ts";
import { ForbiddenReference } from "./reference-gate.ts";

/** Words a failure for a status. For a tenant they begin with who has tried what where: mostly something is not granted. */
export function failureText(
  { tenant }: Pick<AddonContext, "tenant">,
  { cluster }: Pick<ClusterSummaryScope, "cluster">,
): (fault: Fault) => string {
  return (fault) =>
    tenant === undefined || fault instanceof ForbiddenReference
      ? fault.message
      : `${tenant.title} in cluster ${cluster.namespace}/${cluster.name}: ${fault.message}`;
}
