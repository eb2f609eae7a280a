import type { RoleRequest, RoleRequestClusterInfo } from "../../api/index.ts";
import { equal, type KubeObject } from "../../../core/object/index.ts";
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
    ...named(objects),
  });
}

type GrantFailed = {
  /** What the status of the RoleRequest has said of the cluster before, and what it says now. */
  readonly before: RoleRequestClusterInfo | undefined;
  readonly info: Omit<RoleRequestClusterInfo, "cluster">;
  /** The Roles and bindings that are still granted; undefined: it is not known. */
  readonly left: readonly KubeObject[] | undefined;
};

/** Logs that a RoleRequest is not granted in a cluster, and what of it still is. The same failure again is no news. */
export function logFailedGrant(
  key: RoleRequestKey,
  request: RoleRequest,
  { before, info, left }: GrantFailed,
  { telemetry }: ControllerContext,
): void {
  if (before?.failureMessage === info.failureMessage && equal(before?.granted, info.granted)) return;
  telemetry.log("warn", "grant failed", {
    ...subjectOf(key, request),
    ...(left === undefined ? {} : named(left)),
    error: info.failureMessage,
  });
}

function named(objects: readonly KubeObject[]): Readonly<Record<string, unknown>> {
  return {
    objectCount: objects.length,
    objects: objects
      .slice(0, namedObjects)
      .map(({ kind, metadata: { namespace = "", name } }) => `${kind} ${namespace === "" ? "" : `${namespace}/`}${name}`),
  };
}

/** Logs that nothing of a RoleRequest is left in a cluster. */
export function logWithdrawnGrant(key: RoleRequestKey, request: RoleRequest, { telemetry }: ControllerContext): void {
  telemetry.log("info", "grant withdrawn", subjectOf(key, request));
}

function subjectOf({ cluster }: RoleRequestKey, { metadata, tenant }: RoleRequest): Readonly<Record<string, unknown>> {
  return { roleRequest: metadata.name, tenant: `${tenant.namespace}/${tenant.name}`, cluster };
}
