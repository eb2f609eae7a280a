import {
  clusterReferredTo,
  readRoleRequest,
  type ClusterId,
  type ObjectReference,
  type RoleRequest,
  type RoleRequestClusterInfo,
  type Tenant,
} from "../api/index.ts";
import { isDeleting, listAt, stringAt, type KubeObject } from "../../core/object/index.ts";
import { isSameTenant } from "./tenant-labels.ts";

/** The RoleRequests that are valid and not being deleted. */
export function validRequests(objects: Iterable<KubeObject>): readonly RoleRequest[] {
  return [...objects].flatMap((object) => {
    const reading = isDeleting(object) ? undefined : readRoleRequest(object);
    return reading?.state === "read" && reading.refused.length === 0 ? [reading.value] : [];
  });
}

/** The names of the RoleRequests by which a tenant may do something in a cluster: those that say that they are provisioned there. */
export function grantsIn({ type, namespace, name }: ClusterId, tenant: Tenant, objects: Iterable<KubeObject>): readonly string[] {
  return [...objects]
    .filter((object) => {
      const [request] = validRequests([object]);
      return request !== undefined && isSameTenant(request.tenant, tenant) && isProvisioned(object);
    })
    .map(({ metadata }) => metadata.name)
    .toSorted();

  function isProvisioned(object: KubeObject): boolean {
    return listAt(object, "status.clusterInfo").some((info) => {
      const id = clusterReferredTo((info["cluster"] ?? {}) as ObjectReference);
      return stringAt(info, "status") === "Provisioned" && id?.type === type && id.namespace === namespace && id.name === name;
    });
  }
}

/** In place of roles that are granted: all that were before may still be. */
export const anyRole = "*";

/** The title of a Role or ClusterRole in a cluster, by itself or by its binding: `Role default/access--maps`. */
export function roleTitle({ kind, metadata: { namespace = "", name } }: KubeObject): string {
  return `${kind.replace(/Binding$/, "")} ${namespace === "" ? "" : `${namespace}/`}${name}`;
}

/** Whether a RoleRequest grants a role in a cluster, by what its status says of the cluster. One that has failed may still grant some. */
export function isGrantedBy(info: Pick<RoleRequestClusterInfo, "status" | "granted"> | undefined, role: string): boolean {
  return info?.status === "Provisioned" || info?.granted?.some((each) => each === role || each === anyRole) === true;
}
