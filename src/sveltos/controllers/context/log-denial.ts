import type { Tenant } from "../../api/index.ts";
import { clusterIdOf } from "../../fleet/index.ts";
import { grantsIn } from "../../tenant/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import type { ControllerContext } from "./controller-context.ts";
import { roleRequestKind, tenantOf } from "./tenant-of.ts";

/** Logs what is denied to an EventSource or a trigger on a tenant's word. Without a cluster, which the fleet's key names: everywhere. */
export function logDenial(author: KubeObject, cluster: string | undefined, error: string, context: ControllerContext): void {
  const reading = tenantOf(author, context);
  const { kind, metadata } = author;
  context.telemetry.log("warn", "denied", {
    ...(kind === "EventSource" ? { eventSource: metadata.name } : { trigger: `${kind}/${metadata.name}` }),
    ...(cluster === undefined ? {} : { cluster }),
    ...(reading.state === "tenant" ? auditOf(reading.tenant, cluster, context) : {}),
    error,
  });
}

function auditOf(tenant: Tenant, cluster: string | undefined, { cache }: ControllerContext): Readonly<Record<string, unknown>> {
  const roleRequests = cluster === undefined ? {} : { roleRequests: grantsIn(clusterIdOf(cluster), tenant, cache.all(roleRequestKind)) };
  return { tenant: `${tenant.namespace}/${tenant.name}`, ...roleRequests };
}
