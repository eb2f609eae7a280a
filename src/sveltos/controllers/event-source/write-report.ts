import type { Match } from "../../evaluate/index.ts";
import { readEventReport } from "../../report/index.ts";
import type { DesiredChange } from "../../instantiate/index.ts";
import { Fault } from "../../../core/fault/index.ts";
import { isAlreadyExists, isConflict, isNotFound, type Cluster } from "../../../kube/index.ts";
import { fieldsAt, refOf, type KubeObject } from "../../../core/object/index.ts";

/** The matches of a report. A report with unreadable resources still names its matches. */
export function lastMatches(report: KubeObject | undefined): readonly Match[] {
  if (report === undefined) return [];
  try {
    return readEventReport(report).matches;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { resources: _unreadable, ...spec } = fieldsAt(report, "spec");
    return readEventReport({ ...report, spec }).matches;
  }
}

/** Creates a report or replaces the existing one. Undefined on a conflict: the change that caused it requeues the key. */
export async function writeReport(
  cluster: Cluster,
  existing: KubeObject | undefined,
  wanted: KubeObject,
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  return await ignoringConflicts(() => {
    if (existing === undefined) return cluster.create(wanted, { signal });
    const { managedFields: _left, ...metadata } = existing.metadata;
    const labels = { ...metadata.labels, ...wanted.metadata.labels };
    return cluster.replace({ ...existing, metadata: { ...metadata, labels }, spec: wanted["spec"] }, { signal });
  });
}

/** Applies one change of a plan. Gives the object after it; undefined when it is deleted, or on a conflict. */
export async function applySourceChange(cluster: Cluster, change: DesiredChange, signal: AbortSignal): Promise<KubeObject | undefined> {
  switch (change.verb) {
    case "create":
      return await ignoringConflicts(() => cluster.create(change.object, { signal }));
    case "update":
      return await ignoringConflicts(() => cluster.replace(change.object, { signal }));
    case "delete": {
      const preconditions = change.uid === undefined ? {} : { preconditions: { uid: change.uid } };
      return await ignoringConflicts(() => cluster.delete(change.ref, { ...preconditions, signal }));
    }
  }
}

/** Patches the status of an object at the given resourceVersion; null removes a field. Undefined on a conflict. */
export async function patchStatus(
  cluster: Cluster,
  object: KubeObject,
  status: object,
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  const { resourceVersion } = object.metadata;
  const patch = { type: "merge", patch: { metadata: { resourceVersion }, status } } as const;
  return await ignoringConflicts(() => cluster.patch(refOf(object), patch, { subresource: "status", signal }));
}

async function ignoringConflicts<T>(write: () => Promise<T>): Promise<T | undefined> {
  try {
    return await write();
  } catch (error) {
    if (isConflict(error) || isNotFound(error) || isAlreadyExists(error)) return undefined;
    throw error;
  }
}
