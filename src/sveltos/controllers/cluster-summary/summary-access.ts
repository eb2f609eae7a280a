import { eventTriggerNameLabel, sveltosNamespace, type Tenant } from "../../api/index.ts";
import type { AddonContext } from "../../deploy/index.ts";
import { hubUserOf, isSameTenant, managedUserOf, tenantText } from "../../tenant/index.ts";
import type { Cluster } from "../../../kube/index.ts";
import { isDeleting, type KubeObject } from "../../../core/object/index.ts";
import { accessOfTenant, tenantOf, type ControllerContext } from "../context/index.ts";
import { findOwner, readOwner } from "./summary-owner.ts";

/** On whose word a ClusterSummary is deployed or withdrawn, and which RoleRequests allow it. */
export type SummaryAccess =
  | { readonly by: "platform" }
  | { readonly by: "tenant"; readonly tenant: Tenant; readonly grants: readonly string[] };

/** Nothing is done. `waits`: somebody is about to put it right. The tenant is there where it is known who has asked. */
export type NoAccess = {
  readonly because: string;
  readonly waits: boolean;
  readonly tenant?: Tenant;
  readonly grants?: readonly string[];
};

/**
 * Finds out on whose word a ClusterSummary is. That of a tenant to whom nothing is granted in the cluster, or whose kubeconfig
 * for it is missing, is refused.
 */
export async function readAccess(
  summary: KubeObject,
  cluster: string,
  context: ControllerContext,
  signal: AbortSignal,
): Promise<SummaryAccess | NoAccess> {
  if (isDeleting(summary)) return accessOf((await findOwner(summary, context, signal)) ?? summary, cluster, context);
  const owner = await readOwner(summary, context, signal);
  return "because" in owner ? owner : accessOf(owner.profile, cluster, context);
}

function accessOf(author: KubeObject, cluster: string, context: ControllerContext): SummaryAccess | NoAccess {
  const reading = tenantOf(author, context);
  if (reading.state === "platform") return { by: "platform" };
  if (reading.state === "refused") return { because: `nothing is deployed: ${reading.because}`, waits: false };
  const { tenant } = reading;
  const { grants, ...found } = accessOfTenant(tenant, cluster, context);
  if (found.state === "denied") return { because: found.because, waits: false, tenant, grants };
  return { by: "tenant", tenant, grants };
}

/** The clusters as those who have asked for a profile may see and change them. */
export function accessContextOf(
  access: SummaryAccess,
  connected: Cluster,
  context: ControllerContext,
): Pick<AddonContext, "cluster" | "tenant"> {
  if (access.by === "platform") return { cluster: connected };
  const { tenant } = access;
  return {
    cluster: connected.impersonate(managedUserOf(tenant)),
    tenant: {
      title: tenantText(tenant),
      hub: context.hub.impersonate(hubUserOf(tenant)),
      unimpersonated: connected,
      owns: (object) => isGeneratedFor(tenant, object, context),
    },
  };
}

/** Whether a trigger of the tenant has generated an object. Tenants cannot write in Sveltos' namespace, so its labels are true. */
function isGeneratedFor(tenant: Tenant, object: KubeObject, context: ControllerContext): boolean {
  const { namespace, labels = {} } = object.metadata;
  if (namespace !== sveltosNamespace || labels[eventTriggerNameLabel] === undefined) return false;
  const reading = tenantOf(object, context);
  return reading.state === "tenant" && isSameTenant(reading.tenant, tenant);
}
