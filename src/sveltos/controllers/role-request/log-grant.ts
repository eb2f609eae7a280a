import type { RoleRequest, RoleRequestClusterInfo } from "../../api/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import type { ControllerContext } from "../context/index.ts";
import type { RoleRequestKey } from "./role-request-key.ts";

/** A grant may have thousands of objects: the line says how many there are, and names so many. */
const namedObjects = 100;

type GrantWritten = {
  /** What the status of the RoleRequest has said of the cluster before. */
  readonly before: RoleRequestClusterInfo | undefined;
  readonly hash: string;
  /** The Roles and bindings that it consists of now. */
  readonly objects: readonly KubeObject[];
  /** Somebody else has changed or deleted some of it. */
  readonly isRestored: boolean;
};

/** Logs a grant that is new in a cluster, has changed or was put back. One that is only written again after a start is neither. */
export function logGrant(
  key: RoleRequestKey,
  request: RoleRequest,
  { before, hash, objects, isRestored }: GrantWritten,
  { telemetry }: ControllerContext,
): void {
  const isProvisioned = before?.status === "Provisioned";
  const isSame = isProvisioned && before.hash === hash;
  if (isSame && !isRestored) return;
  telemetry.log("info", isSame ? "grant restored" : isProvisioned ? "grant changed" : "granted", {
    ...subjectOf(key, request),
    objectCount: objects.length,
    objects: objects
      .slice(0, namedObjects)
      .map(({ kind, metadata: { namespace = "", name } }) => `${kind} ${namespace === "" ? "" : `${namespace}/`}${name}`),
  });
}

/** Logs that nothing of a RoleRequest is left in a cluster. */
export function logWithdrawnGrant(key: RoleRequestKey, request: RoleRequest, { telemetry }: ControllerContext): void {
  telemetry.log("info", "grant withdrawn", subjectOf(key, request));
}

function subjectOf({ cluster }: RoleRequestKey, { metadata, tenant }: RoleRequest): Readonly<Record<string, unknown>> {
  return { roleRequest: metadata.name, tenant: `${tenant.namespace}/${tenant.name}`, cluster };
}
